-------------------------------- MODULE Ring --------------------------------
(* The ring all-gather and the ring all-reduce of Oriel's library (`oriel     *)
(* show ring`, `oriel show ring-allreduce`), one lane a rank, on one host.    *)
(*                                                                            *)
(* Grain: one step executes one operation of a rank, or makes one store       *)
(* visible. A store waits in its rank's buffer and may become visible after   *)
(* later stores of the same rank. Three rules limit this:                     *)
(*   - stores to one location become visible in program order;                *)
(*   - a release signal becomes visible after all earlier stores of its rank; *)
(*   - a launch ends after all stores of its rank are visible.                *)
(* A rank reads its own stores at once. Loads happen in program order, so     *)
(* every await acquires. A visible store is visible to all ranks.             *)
EXTENDS Integers, Sequences

CONSTANTS
  N,         \* ranks
  Launches,  \* launches, separated only by the program's own waits
  Program,   \* "allgather" or "allreduce"
  Mutant     \* "none", "relaxed", "epoch", "short" or "reuse": see Code

ASSUME
  /\ N \in Nat /\ N >= 2
  /\ Launches \in Nat /\ Launches >= 1
  /\ Program \in {"allgather", "allreduce"}
  /\ Mutant \in {"none", "relaxed", "epoch", "short", "reuse"}
  /\ Mutant = "reuse" => Program = "allgather"

VARIABLES
  pc,      \* of each rank: the next operation of its code
  launch,  \* of each rank: the present launch, from 1
  mem,     \* of each rank: its memory, location by location
  buf      \* of each rank: its stores that are not visible yet, oldest first

vars == <<pc, launch, mem, buf>>

Ranks == 0 .. N - 1
Succ(r) == (r + 1) % N
Pred(r) == (r - 1) % N

----------------------------------------------------------------------------
(* Memory of a rank. A location holds a whole chunk, or a signal word.        *)

Out(c) == c           \* chunk c of the output
Stage(s) == N + s     \* the place of step s of the all-reduce
DATA == 2 * N         \* how far the predecessor has come
READY == 2 * N + 1    \* the launch whose output may be written
Locations == 0 .. 2 * N + 1
None == -1            \* no location, no chunk

(* What rank r contributes to chunk c in launch l. Each rank has a digit of   *)
(* its own, so a sum shows every lacking, doubled or stale contribution.      *)
Digit(c, l) == (l - 1) * N + c + 1
Base == 2 * Launches * N + 1
In == [r \in Ranks |-> [c \in Ranks |-> [l \in 1 .. Launches |-> Digit(c, l) * Base ^ r]]]

RECURSIVE SumUpTo(_, _, _)
SumUpTo(r, c, l) == In[r][c][l] + IF r = 0 THEN 0 ELSE SumUpTo(r - 1, c, l)

Expected ==
  [c \in Ranks |-> [l \in 1 .. Launches |->
    IF Program = "allreduce" THEN SumUpTo(N - 1, c, l) ELSE In[c][c][l]]]

----------------------------------------------------------------------------
(* The code of a rank.                                                        *)

(* A move stores, at location dst of rank to, the sum of own location src and *)
(* of the own contribution to chunk; either may be None.                      *)
Move(to, dst, src, chunk) ==
  [op |-> "move", to |-> to, dst |-> dst, src |-> src, chunk |-> chunk]

(* Words are epoch * D + add, where D is the number of words of a launch.     *)
D == IF Program = "allreduce" THEN 2 * N ELSE N
Signal(to, slot, times, add) ==
  [op |-> "signal", to |-> to, slot |-> slot, times |-> times, add |-> add,
   release |-> Mutant # "relaxed" \/ slot = READY]
Await(slot, times, add) ==
  [op |-> "await", slot |-> slot, times |-> times, add |-> add,
   \* Mutant "epoch": a rank waits for the word of the launch before.
   back |-> IF Mutant = "epoch" /\ slot = DATA THEN 1 ELSE 0]

(* The chunks go around once; the words begin with the given one.             *)
RECURSIVE Around(_, _, _)
Around(r, s, word) ==
  \* Mutant "short": one chunk too few.
  IF s = IF Mutant = "short" THEN N - 2 ELSE N - 1 THEN <<>>
  ELSE << Move(Succ(r), Out((r - s) % N), Out((r - s) % N), None),
          Signal(Succ(r), DATA, D, word + s),
          Await(DATA, D, word + s) >>
       \o Around(r, s + 1, word)

AllGather(r) ==
  << Move(r, Out(r), None, r) >>
  \* Mutant "reuse": no rank waits until its successor's output may be written.
  \o (IF Mutant = "reuse" THEN <<>>
      ELSE << Signal(Pred(r), READY, 1, 0), Await(READY, 1, 0) >>)
  \o Around(r, 0, 0)

RECURSIVE Adding(_, _)
Adding(r, s) ==
  IF s = N - 2 THEN <<>>
  ELSE << Await(DATA, D, s),
          Move(r, Stage(s), Stage(s), (r - 2 - s) % N),
          Move(Succ(r), Stage(s + 1), Stage(s), None),
          Signal(Succ(r), DATA, D, s + 1) >>
       \o Adding(r, s + 1)

AllReduce(r) ==
  << Move(Succ(r), Stage(0), None, Pred(r)), Signal(Succ(r), DATA, D, 0) >>
  \o Adding(r, 0)
  \o << Await(DATA, D, N - 2), Move(r, Out(r), Stage(N - 2), r) >>
  \o Around(r, 0, N - 1)

Code == [r \in Ranks |-> IF Program = "allreduce" THEN AllReduce(r) ELSE AllGather(r)]

Ended(r) == pc[r] > Len(Code[r])
Now(r) == Code[r][pc[r]]

----------------------------------------------------------------------------
(* Steps.                                                                     *)

(* What rank r reads: its own latest store, else its memory.                  *)
Read(r, loc) ==
  LET own == {i \in DOMAIN buf[r] : buf[r][i].to = r /\ buf[r][i].loc = loc}
  IN IF own = {} THEN mem[r][loc]
     ELSE buf[r][CHOOSE i \in own : \A j \in own : j <= i].val

Issue(r, store) ==
  /\ buf' = [buf EXCEPT ![r] = Append(@, store)]
  /\ pc' = [pc EXCEPT ![r] = @ + 1]
  /\ UNCHANGED <<launch, mem>>

DoMove(r) ==
  /\ ~Ended(r) /\ Now(r).op = "move"
  /\ LET m == Now(r)
         old == IF m.src = None THEN 0 ELSE Read(r, m.src)
         own == IF m.chunk = None THEN 0 ELSE In[r][m.chunk][launch[r]]
     IN Issue(r, [to |-> m.to, loc |-> m.dst, val |-> old + own, release |-> FALSE])

DoSignal(r) ==
  /\ ~Ended(r) /\ Now(r).op = "signal"
  /\ LET s == Now(r)
     IN Issue(r, [to |-> s.to, loc |-> s.slot, val |-> launch[r] * s.times + s.add,
                  release |-> s.release])

DoAwait(r) ==
  /\ ~Ended(r) /\ Now(r).op = "await"
  /\ mem[r][Now(r).slot] >= (launch[r] - Now(r).back) * Now(r).times + Now(r).add
  /\ pc' = [pc EXCEPT ![r] = @ + 1]
  /\ UNCHANGED <<launch, mem, buf>>

(* Store i of rank r becomes visible.                                         *)
Show(r, i) ==
  LET e == buf[r][i] IN
  /\ \A j \in 1 .. i - 1 :
       /\ ~e.release
       /\ ~(buf[r][j].to = e.to /\ buf[r][j].loc = e.loc)
  /\ mem' = [mem EXCEPT ![e.to][e.loc] = e.val]
  /\ buf' = [buf EXCEPT ![r] = SubSeq(@, 1, i - 1) \o SubSeq(@, i + 1, Len(@))]
  /\ UNCHANGED <<pc, launch>>

Complete(r) == Ended(r) /\ buf[r] = <<>>

NextLaunch(r) ==
  /\ Complete(r) /\ launch[r] < Launches
  /\ pc' = [pc EXCEPT ![r] = 1]
  /\ launch' = [launch EXCEPT ![r] = @ + 1]
  /\ UNCHANGED <<mem, buf>>

AllDone == \A r \in Ranks : Complete(r) /\ launch[r] = Launches

Init ==
  /\ pc = [r \in Ranks |-> 1]
  /\ launch = [r \in Ranks |-> 1]
  /\ mem = [r \in Ranks |-> [loc \in Locations |-> 0]]
  /\ buf = [r \in Ranks |-> <<>>]

Step(r) ==
  \/ DoMove(r) \/ DoSignal(r) \/ DoAwait(r) \/ NextLaunch(r)
  \/ \E i \in DOMAIN buf[r] : Show(r, i)

(* The end is no deadlock: TLC reports every other state without a successor. *)
Next == (\E r \in Ranks : Step(r)) \/ (AllDone /\ UNCHANGED vars)

Spec == Init /\ [][Next]_vars /\ WF_vars(\E r \in Ranks : Step(r))

----------------------------------------------------------------------------
(* Properties.                                                                *)

(* A rank that has completed a launch has its whole output.                   *)
Result ==
  \A r \in Ranks : Complete(r) =>
    \A c \in Ranks : mem[r][Out(c)] = Expected[c][launch[r]]

(* Every execution ends. Each step raises launch or pc or empties a buffer,   *)
(* so this follows from the absence of deadlocks. Checked for 3 ranks.        *)
Termination == <>AllDone
=============================================================================
