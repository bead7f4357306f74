/** The admin on servers with users and on one without. */
package io.distributedfallback.it.admin;
