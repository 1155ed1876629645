package dev.oriel.cuda.ptx;

/**
 * The tools for making several outputs at once in one application of a hook: addresses of its
 * arrays, and the check that several elements are one aligned access.
 */
record HookTools(
    PtxBuilder ptx,
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

  /** A register that collects reasons against wide accesses; 0 if there are none. */
  String obstacles() {
    String mixed = ptx.word();
    ptx.op("mov.b64 %s, 0", mixed);
    return mixed;
  }

  /** Adds the reason that a number, or an address, is no multiple of a power of two. */
  void obstacle(String mixed, String number, int multiple) {
    String low = ptx.word();
    ptx.op("and.b64 %s, %s, %d", low, number, multiple - 1);
    ptx.op("or.b64 %s, %s, %s", mixed, mixed, low);
  }
}
