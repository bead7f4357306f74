/** The dashboard in a real browser, served by a real server, over real rows. */
package io.distributedfallback.it.page;
