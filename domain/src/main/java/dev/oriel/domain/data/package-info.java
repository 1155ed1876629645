/** Element types, their bit-exact arithmetic, and the reductions over them. */
package dev.oriel.domain.data;
