/** What an operator loads into Prometheus and Grafana, held against their own tools. */
package io.distributedfallback.operator;
