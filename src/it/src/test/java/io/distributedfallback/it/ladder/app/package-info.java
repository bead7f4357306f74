/** The application of the story: a cache before a database, in instances with a load of their own. */
package io.distributedfallback.it.ladder.app;
