package dev.oriel.cuda.ptx;

import dev.oriel.domain.data.DataType;
import dev.oriel.domain.program.HookForm;
import java.util.List;

/**
 * One application of a hook: the addresses of its arrays and the numbers of its maps.
 *
 * @param from the address of each source
 * @param numbers of each source's map, in the order of its text
 * @param to the numbers of the target's map
 * @param count of outputs
 */
record HookSite(
    HookForm hook, List<String> from, List<List<String>> numbers, List<String> to, String count) {
  HookForm.Source source(int k) {
    return hook.sources().get(k);
  }

  DataType type(int k) {
    return source(k).type();
  }

  /** A number of a source's map. */
  String number(int k, int which) {
    return numbers.get(k).get(which);
  }
}
