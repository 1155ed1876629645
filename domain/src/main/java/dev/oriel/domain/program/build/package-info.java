/**
 * Writes forms in Java, part by part in the order of the text: {@link
 * dev.oriel.domain.program.build.FormBuilder#named} starts one. Uses the data and the check, which
 * every form passes before it is returned.
 */
package dev.oriel.domain.program.build;
