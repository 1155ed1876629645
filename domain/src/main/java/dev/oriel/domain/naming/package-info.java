/** Names that texts and commands give: which known name a misspelled one most likely means. */
package dev.oriel.domain.naming;
