/** What the engine has to tell, as log lines and CDI events. */
package io.distributedfallback.observe;
