/** Requests that a poster hands to a proxy, which carries them out in its place. */
package dev.oriel.domain.handing;
