package dev.oriel.cuda.ptx;

import java.nio.charset.StandardCharsets;
import jcuda.nvptxcompiler.JNvPTXCompiler;
import jcuda.nvptxcompiler.nvPTXCompilerHandle;

/** NVIDIA's PTX compiler in JCuda's natives: needs neither a toolkit nor a GPU. */
public final class Assembler {
  private static final int SUCCESS = 0;

  private Assembler() {}

  /** Why this platform has no such library; empty if the library must be present. */
  public static String absence() {
    boolean here =
        System.getProperty("os.name").equals("Linux")
            && System.getProperty("os.arch").equals("amd64");
    return here ? "" : "JCuda publishes no PTX compiler for this platform";
  }

  /** The assembled bytes. */
  public static byte[] assemble(String ptx, PtxTarget target) {
    byte[] text = ptx.getBytes(StandardCharsets.UTF_8);
    nvPTXCompilerHandle handle = new nvPTXCompilerHandle();
    JNvPTXCompiler.nvPTXCompilerCreate(handle, text.length, text);
    try {
      String[] options = {"--gpu-name=" + target.spelling(), "--warning-as-error"};
      if (JNvPTXCompiler.nvPTXCompilerCompile(handle, options.length, options) != SUCCESS) {
        throw new AssertionError("not assembled: target=" + target + ", log=" + log(handle));
      }
      long[] size = new long[1];
      JNvPTXCompiler.nvPTXCompilerGetCompiledProgramSize(handle, size);
      byte[] program = new byte[Math.toIntExact(size[0])];
      JNvPTXCompiler.nvPTXCompilerGetCompiledProgram(handle, program);
      return program;
    } finally {
      JNvPTXCompiler.nvPTXCompilerDestroy(handle);
    }
  }

  private static String log(nvPTXCompilerHandle handle) {
    long[] size = new long[1];
    JNvPTXCompiler.nvPTXCompilerGetErrorLogSize(handle, size);
    byte[] log = new byte[Math.toIntExact(size[0]) + 1];
    JNvPTXCompiler.nvPTXCompilerGetErrorLog(handle, log);
    return new String(log, StandardCharsets.UTF_8).trim();
  }
}
