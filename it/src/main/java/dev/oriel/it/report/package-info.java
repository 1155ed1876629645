/** Results of checks in the formats that build servers read: SARIF and JUnit XML. */
@NullMarked
package dev.oriel.it.report;

import org.jspecify.annotations.NullMarked;
