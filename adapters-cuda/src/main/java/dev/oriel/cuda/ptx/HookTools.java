package dev.oriel.cuda.ptx;

/**
 * What code for several outputs at once is made with, for one application of a hook: how its arrays
 * are reached, and whether they lie so that several elements are one access.
 */
record HookTools(
    Ptx ptx,
    ElementCode elements,
    ConvertCode convert,
    VectorCode vectors,
    ReduceCode.Places places,
    HookSite site) {

  /** The value of one element of a source. */
  String load(int source, String element) {
    return convert.load(site.type(source), address(source, element));
  }

  String address(int source, String element) {
    return elements.address(site.from().get(source), element, site.type(source));
  }

  /** A sum of what keeps accesses from being several elements; 0 where nothing does. */
  String obstacles() {
    String mixed = ptx.word();
    ptx.op("mov.b64 %s, 0", mixed);
    return mixed;
  }

  /** Adds that a number, or an address, is no multiple of a power of two. */
  void obstacle(String mixed, String number, int multiple) {
    String low = ptx.word();
    ptx.op("and.b64 %s, %s, %d", low, number, multiple - 1);
    ptx.op("or.b64 %s, %s, %s", mixed, mixed, low);
  }
}
