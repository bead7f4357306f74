/** What the application of the page's tests has beside that of the cluster. */
package io.distributedfallback.it.page.app;
