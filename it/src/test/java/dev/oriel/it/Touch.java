package dev.oriel.it;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.regex.Pattern;

/**
 * Uses of the JDK that make code depend on more than its arguments.
 *
 * <p>A pattern names a class, {@code java.net.*} everything whose name starts with that, and {@code
 * java.lang.System#nanoTime} one member; {@code *} stands for any part of the name of a member's
 * class. Method references count as calls.
 */
final class Touch extends ArchCondition<JavaClass> {
  static final Touch CLOCK =
      new Touch(
          "read a clock",
          "java.lang.System#nanoTime|currentTimeMillis",
          "java.time.*#now|system|systemUTC|systemDefaultZone|tick.*",
          "java.time.Clock",
          "java.time.InstantSource",
          "java.util.Date",
          "java.util.Calendar",
          "java.util.GregorianCalendar");

  static final Touch RANDOM =
      new Touch(
          "draw what a replay cannot repeat",
          "java.lang.Math#random",
          "java.lang.StrictMath#random",
          "java.lang.System#identityHashCode",
          "java.security.SecureRandom",
          "java.util.Collections#shuffle",
          "java.util.Random",
          "java.util.SplittableRandom",
          "java.util.UUID#randomUUID",
          "java.util.concurrent.ThreadLocalRandom",
          "java.util.random.*");

  static final Touch THREAD_CREATION =
      new Touch(
          "create a thread",
          "java.lang.Thread#<init>|ofVirtual|ofPlatform|startVirtualThread|start",
          "java.lang.Thread$Builder",
          "java.lang.Thread$Builder$OfPlatform",
          "java.lang.Thread$Builder$OfVirtual",
          "java.util.Arrays#parallel.*",
          "java.util.Timer",
          "java.util.concurrent.CompletableFuture#delayedExecutor|orTimeout|completeOnTimeout",
          "java.util.concurrent.Executors",
          "java.util.concurrent.ForkJoinPool",
          "java.util.concurrent.ForkJoinTask",
          "java.util.concurrent.ScheduledThreadPoolExecutor",
          "java.util.concurrent.StructuredTaskScope",
          "java.util.concurrent.ThreadPoolExecutor",
          "java.util.stream.*#parallel",
          "*#parallelStream");

  static final Touch THREAD =
      new Touch(
          "touch a thread",
          "java.lang.InheritableThreadLocal",
          "java.lang.Object#wait|notify|notifyAll",
          "java.lang.ScopedValue",
          "java.lang.Thread",
          "java.lang.ThreadGroup",
          "java.lang.ThreadLocal",
          "java.util.concurrent.locks.*");

  static final Touch FILE_OR_NETWORK =
      new Touch(
          "touch a file, a socket or a log",
          "java.io.Console",
          "java.io.File*",
          "java.io.PrintStream",
          "java.io.RandomAccessFile",
          "java.lang.System#in|out|err|console|getLogger",
          "java.lang.System$Logger",
          "java.net.*",
          "java.nio.channels.*",
          "java.nio.file.*",
          "java.util.logging.*",
          "javax.net.*",
          "org.slf4j.*");

  static final Touch PROCESS =
      new Touch(
          "ask the process about its surroundings",
          "java.lang.Boolean#getBoolean",
          "java.lang.Integer#getInteger",
          "java.lang.Long#getLong",
          "java.lang.Process",
          "java.lang.ProcessBuilder",
          "java.lang.ProcessHandle",
          "java.lang.Runtime",
          "java.lang.System#getProperty|getProperties|setProperty|getenv|exit|gc",
          "java.util.Locale#getDefault");

  static final Touch REFLECTION =
      new Touch(
          "reflect",
          "java.lang.Class#forName|newInstance|getResource.*|get(Declared)?(Method|Field|Constructor)s?",
          "java.lang.ClassLoader",
          "java.lang.invoke.MethodHandles",
          "java.lang.invoke.VarHandle",
          "java.lang.reflect.*",
          "java.util.ServiceLoader");

  static final Touch NATIVE =
      new Touch(
          "go native",
          "java.lang.Runtime#load|loadLibrary",
          "java.lang.System#load|loadLibrary",
          "java.lang.foreign.*",
          "jcuda.*",
          "sun.misc.Unsafe");

  private record Use(Pattern owner, Pattern member) {
    /** A pattern in the format of the class comment. */
    static Use parse(String text) {
      int hash = text.indexOf('#');
      String owner = hash < 0 ? text : text.substring(0, hash);
      return new Use(
          Pattern.compile(owner.replace(".", "\\.").replace("$", "\\$").replace("*", ".*")),
          Pattern.compile(hash < 0 ? ".*" : text.substring(hash + 1)));
    }

    boolean matches(String owner, String member) {
      return this.owner.matcher(owner).matches() && this.member.matcher(member).matches();
    }
  }

  private final List<Use> classes;
  private final List<Use> members;

  private Touch(String description, String... uses) {
    super(description);
    classes = parse(uses, false);
    members = parse(uses, true);
  }

  private static List<Use> parse(String[] uses, boolean members) {
    return Arrays.stream(uses).filter(use -> use.contains("#") == members).map(Use::parse).toList();
  }

  @Override
  public void check(JavaClass item, ConditionEvents events) {
    for (Dependency dependency : item.getDirectDependenciesFromSelf()) {
      String target = dependency.getTargetClass().getBaseComponentType().getName();
      if (classes.stream().anyMatch(use -> use.matches(target, ""))) {
        events.add(SimpleConditionEvent.satisfied(item, dependency.getDescription()));
      }
    }
    for (JavaAccess<?> access : item.getAccessesFromSelf()) {
      String owner = access.getTargetOwner().getName();
      String member = access.getTarget().getName();
      if (members.stream().anyMatch(use -> use.matches(owner, member))
          || (this == THREAD_CREATION && onTheCommonPool(access))) {
        events.add(SimpleConditionEvent.satisfied(item, access.getDescription()));
      }
    }
    if (this == NATIVE) {
      item.getMethods().stream()
          .filter(method -> method.getModifiers().contains(JavaModifier.NATIVE))
          .forEach(m -> events.add(SimpleConditionEvent.satisfied(item, m.getDescription())));
    }
  }

  /** An asynchronous step without an executor runs on a pool that the application did not pass. */
  private static boolean onTheCommonPool(JavaAccess<?> access) {
    return access.getTargetOwner().getPackageName().equals("java.util.concurrent")
        && access.getTarget().getName().endsWith("Async")
        && access.getTarget() instanceof CodeUnitAccessTarget target
        && target.getRawParameterTypes().stream().noneMatch(p -> p.isEquivalentTo(Executor.class));
  }
}
