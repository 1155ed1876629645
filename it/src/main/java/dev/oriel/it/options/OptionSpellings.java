package dev.oriel.it.options;

import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.ReduceOp;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.CampaignShard;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.TimeoutPolicy;
import dev.oriel.sim.search.Strategy;
import dev.oriel.sim.search.WindowDelta;
import dev.oriel.sim.trace.PictureFiles;
import dev.oriel.sim.trace.TracePicture;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Stack;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** Reads values of options; an invalid value is refused with the valid ones. */
public final class OptionSpellings {
  private OptionSpellings() {}

  static final class OfStrategy implements ITypeConverter<Strategy> {
    @Override
    public Strategy convert(String text) {
      return one(Strategy.values(), Strategy::spelling, text);
    }
  }

  static final class OfTimeouts implements ITypeConverter<TimeoutPolicy> {
    @Override
    public TimeoutPolicy convert(String text) {
      return one(TimeoutPolicy.values(), TimeoutPolicy::spelling, text);
    }
  }

  public static final class OfType implements ITypeConverter<DataType> {
    @Override
    public DataType convert(String text) {
      return one(DataType.values(), OptionSpellings::lower, text);
    }
  }

  public static final class OfOperator implements ITypeConverter<ReduceOp> {
    @Override
    public ReduceOp convert(String text) {
      return one(ReduceOp.values(), OptionSpellings::lower, text);
    }
  }

  static final class OfProfile implements ITypeConverter<Profile> {
    @Override
    public Profile convert(String text) {
      return refusing(Profile::parse, text);
    }
  }

  /** A fault plan. */
  public static final class OfFaults implements ITypeConverter<FaultPlan> {
    @Override
    public FaultPlan convert(String text) {
      return refusing(FaultPlan::parse, text);
    }
  }

  static final class OfDelta implements ITypeConverter<WindowDelta> {
    @Override
    public WindowDelta convert(String text) {
      return refusing(WindowDelta::parse, text);
    }
  }

  /** A part of a campaign, by its number or by the variables of a scheduler. */
  public static final class OfShard implements ITypeConverter<CampaignShard> {
    @Override
    public CampaignShard convert(String text) {
      return refusing(given -> ShardSpelling.parse(given, System.getenv()), text);
    }
  }

  /** A number of bytes, or a size with a unit. */
  static final class OfBytes implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      try {
        return OptionNumbers.size(text);
      } catch (NumberFormatException e) {
        throw new TypeConversionException(
            "not a number: value=%s; give a whole number, or a size such as 64KiB".formatted(text));
      }
    }
  }

  /** An unsigned 64-bit number, or a power of two plus or minus a number. */
  static final class OfEpoch implements ITypeConverter<Long> {
    private static final Pattern POWER = Pattern.compile("2\\^(\\d{1,2})(?:([+-])(\\d{1,18}))?");

    @Override
    public Long convert(String text) {
      Matcher power = POWER.matcher(text);
      if (!power.matches()) {
        try {
          return Long.parseUnsignedLong(text);
        } catch (NumberFormatException e) {
          throw new TypeConversionException(
              "not a number of launches: value=%s; use 0 to 2^64-1, as in 2^32-2".formatted(text));
        }
      }
      BigInteger number = BigInteger.TWO.pow(Integer.parseInt(power.group(1)));
      if (power.group(2) != null) {
        BigInteger change = new BigInteger(power.group(3));
        number = power.group(2).equals("+") ? number.add(change) : number.subtract(change);
      }
      if (number.signum() < 0 || number.bitLength() > Long.SIZE) {
        throw new TypeConversionException(
            "number of launches out of range: value=%s; use 0 to 2^64-1, as in 2^32-2"
                .formatted(text));
      }
      return number.longValue();
    }
  }

  /** An output file, refused before the run if it cannot be written. */
  public static final class NewFile implements ITypeConverter<Path> {
    @Override
    public Path convert(String text) {
      Path file = Path.of(text);
      Path folder = file.toAbsolutePath().getParent();
      if (folder == null || Files.isDirectory(file) || !mayBeWritten(file, folder)) {
        throw new TypeConversionException(
            "cannot be written: file=%s; name a file in a folder that is there and may be written"
                .formatted(text));
      }
      return file;
    }

    /**
     * A regular file is replaced by a new one from the same folder; anything else is written
     * directly.
     */
    private static boolean mayBeWritten(Path file, Path folder) {
      boolean there = Files.exists(file);
      return (!there || Files.isWritable(file))
          && ((there && !Files.isRegularFile(file)) || Files.isWritable(folder));
    }
  }

  /** A picture file, whose suffix selects the kind of picture. */
  public static final class NewPicture implements ITypeConverter<Path> {
    @Override
    public Path convert(String text) {
      Path file = new NewFile().convert(text);
      TracePicture ignored = refusing(name -> PictureFiles.of(file), text);
      return file;
    }
  }

  /** An option without a value, or before a file whose name ends in .json. */
  public static final class JsonFile implements IParameterConsumer {
    /** Standard output. */
    public static final String OUT = "-";

    @Override
    public void consumeParameters(Stack<String> left, ArgSpec option, CommandSpec command) {
      if (left.isEmpty() || !left.peek().endsWith(".json")) {
        option.setValue(OUT);
        return;
      }
      try {
        option.setValue(new NewFile().convert(left.pop()).toString());
      } catch (TypeConversionException e) {
        throw new ParameterException(command.commandLine(), "--json: " + e.getMessage(), e);
      }
    }
  }

  /** The spelling of a value in texts and options. */
  public static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  public static <T> T one(T[] all, Function<T, String> spelling, String text) {
    return Arrays.stream(all)
        .filter(value -> spelling.apply(value).equalsIgnoreCase(text))
        .findFirst()
        .orElseThrow(() ->
            new TypeConversionException(
                "value=%s; use one of %s"
                    .formatted(
                        text, Arrays.stream(all).map(spelling).collect(Collectors.joining(", ")))));
  }

  private static <T> T refusing(Function<String, T> parse, String text) {
    try {
      return parse.apply(text);
    } catch (MachineException | IllegalArgumentException e) {
      throw new TypeConversionException(String.valueOf(e.getMessage()));
    }
  }
}
