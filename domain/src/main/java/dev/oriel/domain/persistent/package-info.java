/**
 * Persistent calls, as far as they are pure: which requests there are, what one call does step by
 * step, and when a request may go on.
 */
package dev.oriel.domain.persistent;
