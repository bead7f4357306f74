/**
 * What the engine has to tell, as log lines and CDI events; and what can be seen of it, as metrics, spans and a health check,
 * where the server has an API for them. One such API in a file.
 */
package io.distributedfallback.observe;
