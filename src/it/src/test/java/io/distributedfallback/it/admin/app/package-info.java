/** A small application. */
package io.distributedfallback.it.admin.app;
