/** Answers of Jakarta REST for calls that were kept from provider and fallback. Touched only where the server has REST. */
package io.distributedfallback.rest;
