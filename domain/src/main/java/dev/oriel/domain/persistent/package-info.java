/**
 * The pure part of persistent calls: the existing requests, the steps of one call, and the life
 * cycle of a request.
 */
package dev.oriel.domain.persistent;
