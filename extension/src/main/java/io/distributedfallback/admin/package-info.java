/** A servlet with which people see and steer the breakers: JSON, events, and a page. Off by default. */
package io.distributedfallback.admin;
