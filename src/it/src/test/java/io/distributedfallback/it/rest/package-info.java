/** What callers over HTTP get who are kept from provider and fallback. */
package io.distributedfallback.it.rest;
