/** Requests that a poster hands to a proxy, which executes them for it. */
package dev.oriel.domain.handing;
