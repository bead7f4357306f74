/**
 * From annotations and MicroProfile Config to policies, settings and guards. The one place that reads MicroProfile
 * Config; {@link io.distributedfallback.config.Configuration} is the door.
 */
package io.distributedfallback.config;
