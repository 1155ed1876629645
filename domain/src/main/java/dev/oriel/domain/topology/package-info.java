/** Which ranks reach each other, and by which links: a pure function of the facts of every rank. */
package dev.oriel.domain.topology;
