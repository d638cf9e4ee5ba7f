(** * What a certificate means

    For any interpretation of what is opaque in it (rows, functions of rows, functions of releases), a tree of rules means a
    function of data ([run], where the root is a transformation) or a randomized function of data ([denote]).

    What a rule relies on is part of its meaning: a sum clamps each row into its bounds, new rows are cut off at the limit,
    a part holds the rows of its key, a vector that is too long counts as nought, an answer is cut off at 0 and 1. On data of
    the declared domains, which dpcore checks where data come in, none of that changes anything ([Faithful.v]). So what is
    proved of [denote] needs no assumption on data. *)
From Coq Require Import String List ZArith QArith Qround Qreals Reals Permutation Bool Lia Compare_dec.
From DPcore Require GraphQueries.
From DPcore Require Import Distributions Metrics Norms Totals Sums Histograms RowStability Partition Persons Resize Parallel Combinators Laplace Gaussian Choice PermuteAndFlip AboveThreshold ThresholdRelease PublishedRows ManyQueries MarginalErrors.
From DPcore Require Filters Interleaved LocalModel RenyiFilter Talk.
From DPchecker Require Import Spread Language Ordered.
Import ListNotations.
Set Implicit Arguments.

(** What is released. *)
Inductive released (U : Type) :=
| Nothing
| Whole (z : Z)                            (* a number, in steps of its grid *)
| Wholes (v : list Z)
| Answer (c : constant)
| Chosen (i : nat)                         (* which of the candidates *)
| Several (l : list (released U))
| Users (u : U).                           (* whatever a user's function makes of a release *)
Arguments Nothing {U}. Arguments Whole {U}. Arguments Wholes {U}. Arguments Answer {U}. Arguments Chosen {U}. Arguments Several {U}.

(** Data, with the domain declared for the rows. Numbers are in steps of their grid. *)
Inductive data_of (row : Type) :=
| Rows (of : domain) (x : list row)
| Number (g : Q) (z : Z)
| Vector (g : Q) (v : list Z)
| Value (c : constant)
| Parts (of : domain) (keys : list constant) (p : constant -> list row)
| Graph (n : positive) (edge : nat -> nat -> bool)           (* on the nodes 0 to n-1; edges i, j for i < j *)
| NoData.
Arguments Rows {row}. Arguments Number {row}. Arguments Vector {row}. Arguments Value {row}. Arguments Parts {row}.
Arguments Graph {row}. Arguments NoData {row}.

(** Whether the function keeps the field that says whose row it is. *)
Definition keeps (who : string) (to : spoken) : bool :=
  match to with
  | Fields fs => match find (fun p => String.eqb who (fst p)) fs with
                 | Some (_, EField name _) => String.eqb name who
                 | _ => false end
  | _ => false
  end.

Record interpretation := {
  row : Type;
  users : Type;
  value : row -> Q;                                          (* of rows that are numbers *)
  coordinates : row -> list Q;                               (* of rows that are vectors *)
  answer : domain -> expr -> row -> Q;                       (* to a query, of a row of the domain: from 0 to 1 *)
  answers_step : domain -> list expr -> Q;                   (* of a grid on which the answers to these queries lie *)
  person : string -> row -> constant;                        (* what stands in a field *)
  mapped : spoken -> row -> row;
  holds : spoken -> row -> bool;
  class : spoken -> row -> constant;
  complete : list string -> row -> option row;               (* nothing where one of the fields is missing *)
  new_rows : func -> row -> list row;
  clipped : Q -> norm -> row -> row;
  ordered : list row -> list row;                            (* rows in an order of their values *)
  shuffled : list row -> list row;                           (* rows as a key ranks them, copies of a row each by itself *)
  first_by : expr -> list row -> list row;                   (* rows in an order by an expression of each *)
  filling : spoken -> row;
  shown : list row -> users;                                 (* rows as they are published *)
  before : constant -> constant -> bool;                     (* an order of keys *)
  processed : func -> released users -> dist (released users);
  made : func -> func -> domain -> data_of row -> data_of row;   (* by a user's function that is none of rows, for a declared domain *)
  told : func -> func -> data_of row -> dist (released users);
  stage : func -> list (released users) -> data_of row -> dist (released users);   (* what a choice, having seen those releases, runs *)
  asks : Q -> Q -> list (Talk.event (released users)) -> option ((R * R) * Talk.question (data_of row) (released users));
                                                             (* who has a budget of these figures, what he asks next, having seen
                                                                those answers and refusals (the latest first), and what it is charged:
                                                                measurements, and above-thresholds that he begins and asks in between *)
  asks_at_orders : list (Q * Q) -> list (Talk.event (released users)) -> option ((R -> R) * Talk.question (data_of row) (released users));
                                                             (* the same of a budget of RenyiDP at some orders, each question charged a curve *)
  compares : Z -> Q -> Q -> positive -> list (Talk.event unit) -> option (data_of row -> Z);
                                                             (* who asks one above-threshold, with which number he compares next *)
  patience : nat;                                            (* how often he asks at most *)
  granularity : string -> func -> option positive -> Metrics.metric (data_of row);
  mapped_person : forall who to r, keeps who to = true -> person who (mapped to r) = person who r;
  complete_person : forall who names r r', complete names r = Some r' -> person who r' = person who r;
  ordered_order : forall x y, Permutation x y -> ordered x = ordered y;
  shuffled_order : forall x y, Permutation x y -> shuffled x = shuffled y;
  shuffled_all : forall x, Permutation (shuffled x) x;
  shuffled_one : forall r x, exists u v, shuffled x = (u ++ v)%list /\ shuffled (r :: x) = (u ++ r :: v)%list;
  first_by_order : forall e x y, Permutation x y -> first_by e x = first_by e y;
  before_irrefl : forall a, before a a = false;
  before_trans : forall a b c, before a b = true -> before b c = true -> before a c = true;
  before_total : forall a b, before a b = false -> before b a = false -> a = b }.

(** ** Numbers on a grid *)
Definition Qlt_bool (a b : Q) : bool := negb (Qle_bool b a).
Definition steps (g q : Q) : Z := Qfloor (q / g).
Definition clamp (low high z : Z) : Z := Z.max low (Z.min high z).
Definition clamp_to (g : Q) (low high : option Q) (z : Z) : Z :=
  let z := match high with Some h => Z.min (Qfloor (h / g)) z | None => z end in
  match low with Some l => Z.max (Qceiling (l / g)) z | None => z end.

Fixpoint sized {A} (n : nat) (zero : A) (v : list A) : list A :=
  match n with O => [] | S n => match v with [] => zero :: sized n zero [] | a :: v => a :: sized n zero v end end.

(** How many steps of [h] are one step of [g], where that is whole. *)
Definition times (g h : Q) : option Z :=
  if Qlt_bool 0 h && Qlt_bool 0 g && Qeq_bool (inject_Z (Qfloor (g / h)) * h) g then Some (Qfloor (g / h)) else None.

Definition constants_eqb (k l : list constant) : bool :=
  Nat.eqb (length k) (length l) && forallb (fun p => constant_eqb (fst p) (snd p)) (combine k l).

Fixpoint index (k : constant) (ks : list constant) : nat :=
  match ks with [] => O | a :: ks => if constant_eqb a k then O else S (index k ks) end.

(** Rows where a field was dropped if missing: it is no longer optional. *)
Definition present (d : domain) : domain := match d with DOptional d => d | d => d end.
Definition without_nulls (names : list string) (d : domain) : domain :=
  match names, d with
  | [], d => present d
  | _, DFields fs => DFields (map (fun p => (fst p, if existsb (String.eqb (fst p)) names then present (snd p) else snd p)) fs)
  | _, d => d
  end.

Notation data I := (data_of (row I)).

Section Meaning.
Variable I : interpretation.
Notation row := (row I).
Notation data := (data I).
Notation release := (released (users I)).

(** The steps of a row that is a vector of the domain, all 0 if it is longer than declared. *)
Definition norm_of (n : norm) (g : Q) (v : list Z) : Q :=
  let u := map (fun z => g * inject_Z z)%Q v in
  match n with
  | N1 => fold_right (fun a s => Qabs.Qabs a + s)%Q 0%Q u
  | N2 => fold_right (fun a s => a * a + s)%Q 0%Q u
  | NInf => fold_right (fun a s => Qminmax.Qmax (Qabs.Qabs a) s)%Q 0%Q u
  end.
Definition bound_of (n : norm) (b : Q) : Q := match n with N2 => (b * b)%Q | _ => b end.

Definition vector_in (size : positive) (g : Q) (low high : option Q) (n : option norm) (b : option Q) (r : row) : list Z :=
  let v := map (fun z => clamp_to g low high z) (sized (Pos.to_nat size) 0%Z (map (steps g) (coordinates I r))) in
  match n, b with
  | Some n, Some b => if Qle_bool (norm_of n g v) (bound_of n b) then v else map (fun _ => 0%Z) v
  | _, _ => v
  end.

(** The answer to a query, in steps of [g]. *)
Definition answer_in (of : domain) (g : Q) (e : expr) (r : row) : Z := clamp 0 (Qfloor (1 / g)) (steps g (answer I of e r)).

(** The rows in the order in which they are kept. *)
Definition arranged (how : choice) : list row -> list row :=
  match how with InOrder => ordered I | Fairly => shuffled I | FirstBy e => first_by I e end.
Lemma arranged_order how x y : Permutation x y -> arranged how x = arranged how y.
Proof. destruct how; [apply ordered_order | apply shuffled_order | apply first_by_order]. Qed.

(** A marginal: the rows of which an expression is 0, those of which it is 1, and so on. *)
Definition cell (k : nat) : constant := CNumber (inject_Z (Z.of_nat k)).
Definition marginal_of (e : expr) (guess : list Z) : marginal row constant :=
  {| falls_in := class I (Expression e); its_bins := map cell (seq 0 (length guess)); its_guess := guess |}.

Definition step_rule (r : rule) (d : data) : data :=
  match r, d with
  | RowMap to output, Rows _ x => Rows output (map (mapped I to) x)
  | Filter _ c, Rows of x => Rows of (filter (holds I c) x)
  | DropNulls _ names, Rows of x => Rows (without_nulls names of) (somes (complete I names) x)
  | FlatMap f output limit, Rows _ x => Rows output (flat_map (fun r => firstn (Pos.to_nat limit) (new_rows I f r)) x)
  | BoundContributions how who limit, Rows of x =>
      Rows of (bound_contributions constant_dec (person I who) (fun x => firstn (Pos.to_nat limit) (arranged how x)) x)
  | Resize size fill, Rows of x => Rows of (resized (shuffled I) (filling I fill) (Pos.to_nat size) x)
  | ClipNorm b n output, Rows _ x => Rows output (map (clipped I b n) x)
  | Count _, Rows _ x => Number 1 (count x)
  | Sum _ low high, Rows (DNumber _ _ (Some g)) x =>
      let l := Qceiling (low / g) in let h := Qfloor (high / g) in
      if Qlt_bool 0 g && Z.leb l h then Number g (sum_rows (map (fun r => clamp l h (steps g (value I r))) x)) else NoData
  | VectorSum _ _ _ size, Rows (DVector (DNumber low high (Some g)) n nm b) x =>
      if Qlt_bool 0 g && Pos.eqb n size then Vector g (vector_sum (Pos.to_nat n) (map (vector_in n g low high nm b) x)) else NoData
  | Histogram _ _ by_ bins, Rows _ x => Vector 1 (histogram constant_dec (class I by_) bins x)
  | LinearQueries _ queries _, Rows of x =>
      let g := answers_step I of queries in
      if Qlt_bool 0 g then Vector g (totals (map (answer_in of g) queries) x) else NoData
  | UnitQueries _ queries, Rows of x =>
      let g := answers_step I of queries in
      if Qlt_bool 0 g then Vector g (totals (map (answer_in of g) queries) x) else NoData
  | AbsoluteErrors guess, Vector g v => Vector g (errors (map (steps g) guess) v)
  | AbsoluteErrors guess, Number g a => match guess with [c] => Number g (error (steps g c) a) | _ => NoData end
  | MarginalErrors queries guesses, Rows _ x =>
      Vector 1 (marginal_errors constant_dec (map (fun p => marginal_of (fst p) (snd p)) (combine queries guesses)) x)
  | QuantileScores _ candidates a b, Rows _ x => Vector 1 (quantile_scores (fun r => Q2R (value I r)) (map Q2R candidates) a b x)
  | Partition _ by_ keys, Rows of x => Parts of keys (partition constant_dec (class I by_) x)
  | Metrics _ _ _, d | FromGranularity _, d => d
  | EdgeCount _ k, Graph n g => Number 1 (GraphQueries.edge_count (Pos.to_nat n) (Pos.to_nat k) g)
  | DegreeHistogram _ k, Graph n g => Vector 1 (GraphQueries.degree_histogram (Pos.to_nat n) (Pos.to_nat k) g)
  | Triangles _, Graph n g => Number 1 (GraphQueries.triangles (Pos.to_nat n) g)
  | ClaimedTransformation _ _ _ _ _ _, NoData => NoData
  | ClaimedTransformation f map _ output _ _, d => made I f map output d
  | _, _ => NoData
  end.

Fixpoint run (n : node) (d : data) : data :=
  match n with
  | Tree Chain ps => (fix go ps d := match ps with [] => d | p :: ps => go ps (run p d) end) ps d
  | Tree r _ => step_rule r d
  end.

(** ** Measurements *)
Definition laplace_noise (g scale : R) : Z -> dist Z :=
  match Rlt_dec 0 g, Rlt_dec 0 scale with left G, left P => discrete_laplace (scale_in_steps G P) | _, _ => fun z => ret z end.
Definition gaussian_noise (g variance : R) : Z -> dist Z :=
  match Rlt_dec 0 g, Rlt_dec 0 variance with left G, left P => discrete_gaussian (variance_in_steps G P) | _, _ => fun z => ret z end.

(** The values in steps of the noise, then noise; nothing where they do not lie on its grid. *)
Definition noised (h : Q) (noise : Z -> dist Z) (d : data) : dist release :=
  match d with
  | Number g z => match times g h with Some k => bind (noise (k * z)%Z) (fun z => ret (Whole z)) | None => ret Nothing end
  | Vector g v => match times g h with Some k => bind (noisy noise (map (Z.mul k) v)) (fun v => ret (Wholes v)) | None => ret Nothing end
  | _ => ret Nothing
  end.

(** A value that is none of the answers counts as the first. *)
Definition among (answers : list constant) (c : constant) : constant :=
  if existsb (constant_eqb c) answers then c else hd CNull answers.
Definition response (answers : list constant) (p : R) : constant -> dist constant :=
  match le_dec 2 (length answers), Rle_dec (/ INR (length answers)) p, Rlt_dec p 1 with
  | left A, left B, left C => @respond constant constant_dec answers p A (conj B C) | _, _, _ => fun c => ret c end.

(** Whether the Hadamard matrix has a 1 in row [j], in the column of the answer: they have an even number of ones in common. *)
Fixpoint even_ones (p : positive) : bool := match p with xH => false | xO p => even_ones p | xI p => negb (even_ones p) end.
Definition one_of_matrix (answers : list constant) (j : nat) (c : constant) : bool :=
  match N.land (N.of_nat j) (N.of_nat (S (index c answers))) with N0 => true | Npos p => even_ones p end.
(** Its rows: a power of 2 of them, more than there are answers. *)
Definition rows_of_matrix (answers : list constant) : list nat := O :: seq 1 (pred (Nat.pow 2 (N.size_nat (N.of_nat (length answers))))).
Lemma rows_some answers : rows_of_matrix answers <> []. Proof. discriminate. Qed.
Definition one_bit (answers : list constant) (p : R) (c : constant) : dist (nat * bool) :=
  LocalModel.told (@rows_some answers) (one_of_matrix answers) p c.

(** One of n candidates, by their scores. *)
Definition flipped (n : nat) (g scale : R) (v : list Z) : dist nat :=
  match Rlt_dec 0 scale, lt_dec 0 n with left A, left B => @permute_and_flip scale n A B (score g v) | _, _ => ret O end.
Definition drawn (n : nat) (g scale : R) (v : list Z) : dist nat :=
  match lt_dec 0 n with left B => @exponential_mechanism g scale n B v | _ => ret O end.
Definition chosen (way : nat -> R -> list Z -> dist nat) (d : data) : dist release :=
  match d with
  | Vector g v => if Qlt_bool 0 g then bind (way (length v) (Q2R g) v) (fun i => ret (Chosen i)) else ret Nothing
  | _ => ret Nothing
  end.

(** Keys whose noisy count reaches the threshold. *)
Definition frequent (key : row -> constant) (scale : R) (t : Z) : list row -> dist (list (constant * Z)) :=
  match Rlt_dec 0 scale with left A => ThresholdRelease.released constant_dec (before I) key t A | _ => fun _ => ret [] end.
(** Each row with probability delta, in the order of values. *)
Definition some_published (delta : R) : list row -> dist (list row) :=
  match Rle_dec 0 delta, Rle_dec delta 1 with left A, left B => shame (conj A B) (ordered I) | _, _ => fun _ => ret [] end.

(** Which of the scores, in steps of 1, lie above a noisy threshold, up to so many that do. *)
Definition hits_above (threshold : Z) (bT bQ : R) (hits : positive) (v : list Z) : dist (list bool) :=
  match Rlt_dec 0 bT, Rlt_dec 0 bQ with
  | left T, left Q => above_threshold threshold T Q (pred (Pos.to_nat hits)) v | _, _ => ret [] end.
Definition compared (way : list Z -> dist (list bool)) (d : data) : dist release :=
  match d with
  | Vector g v =>
      match times g 1 with
      | Some k => bind (way (map (Z.mul k) v)) (fun l => ret (Several (map (fun b => Answer (CTruth b)) l))) | None => ret Nothing end
  | _ => ret Nothing
  end.

(** Stage by stage, each chosen by what was seen before it, the latest first. *)
Definition chosen_stage (choices : list func) (seen : list release) (d : data) : dist release :=
  match nth_error choices (length seen) with Some f => stage I f (rev seen) d | None => ret Nothing end.
Definition staged (choices : list func) (d : data) : dist release :=
  bind (adaptive (length choices) (chosen_stage choices) [] d) (fun l => ret (Several (rev l))).

(** Questions one after another, each chosen by the answers before it, as long as what is charged stays within the budget. *)
Definition said {A} (told : A -> release) (e : Talk.event A) : release :=
  match e with Talk.Told a => told a | Talk.Compared b => Answer (CTruth b) | _ => Nothing end.
Definition answers (budget more : Q) (d : data) : dist release :=
  bind (Talk.charged_talk LossOrder.losses_pair (asks I budget more) (Filters.both_up_to (Q2R budget, Q2R more)) (patience I) d)
    (fun seen => ret (Several (map (said (fun a => a)) (rev seen)))).

(** The same of curves, as long as they come to at most the budget at each of its orders. *)
Definition in_reals (points : list (Q * Q)) : list (R * R) := map (fun p => (Q2R (fst p), Q2R (snd p))) points.
Definition answers_at_orders (points : list (Q * Q)) (d : data) : dist release :=
  bind (Talk.charged_talk LossOrder.losses_curve (asks_at_orders I points) (RenyiFilter.at_orders (in_reals points)) (patience I) d)
    (fun seen => ret (Several (map (said (fun a => a)) (rev seen)))).

(** One above-threshold, asked query by query. *)
Definition compared_by_turns (threshold : Z) (bT bQ : Q) (hits : positive) (d : data) : dist release :=
  match Rlt_dec 0 (Q2R bT), Rlt_dec 0 (Q2R bQ) with
  | left T, left Q => bind (Interleaved.above_threshold_stream threshold (Pos.to_nat hits) T Q (compares I threshold bT bQ hits) (patience I) d)
      (fun seen => ret (Several (map (said (fun _ => Nothing)) (rev seen))))
  | _, _ => ret Nothing end.

Definition measure_rule (r : rule) (d : data) : dist release :=
  match r with
  | Laplace scale h => noised h (laplace_noise (Q2R h) (Q2R scale)) d
  | Gaussian _ variance h | GaussianProfile variance h => noised h (gaussian_noise (Q2R h) (Q2R variance)) d
  | RandomizedResponse answers _ p =>
      match d with Value c => bind (response answers (Q2R p) (among answers c)) (fun c => ret (Answer c)) | _ => ret Nothing end
  | UnaryEncoding answers _ p q =>
      match d with
      | Value c => bind (LocalModel.bits constant_dec answers (Q2R p) (Q2R q) c) (fun l => ret (Several (map (fun b => Answer (CTruth b)) l)))
      | _ => ret Nothing end
  | HadamardResponse answers _ p =>
      match d with
      | Value c => bind (one_bit answers (Q2R p) c) (fun jb => ret (Several [Whole (Z.of_nat (fst jb)); Answer (CTruth (snd jb))]))
      | _ => ret Nothing end
  | ThresholdRelease by_ scale t =>
      match d with
      | Rows _ x => bind (frequent (class I by_) (Q2R scale) t x)
                      (fun l => ret (Several (map (fun p => Several [Answer (fst p); Whole (snd p)]) l)))
      | _ => ret Nothing end
  | RandomRow _ =>
      match d with
      | Rows _ x => bind (one_row x) (fun r => ret (Users (shown I (match r with Some r => [r] | None => [] end))))
      | _ => ret Nothing end
  | Spread s n h => noised h (spread_noise s n) d
  | NameAndShame delta =>
      match d with Rows _ x => bind (some_published (Q2R delta) x) (fun l => ret (Users (shown I l))) | _ => ret Nothing end
  | ClaimedMeasurement f map _ _ _ => told I f map d
  | PermuteAndFlip _ scale => chosen (fun n g => flipped n g (Q2R scale)) d
  | Exponential _ scale | ExponentialPure _ scale => chosen (fun n g => drawn n g (Q2R scale)) d
  | AboveThreshold _ threshold bT bQ hits => compared (hits_above threshold (Q2R bT) (Q2R bQ) hits) d
  | Adaptive _ _ choices _ => staged choices d
  | Asking _ budget more _ => answers budget more d
  | AskingAtOrders points _ => answers_at_orders points d
  | Comparing threshold bT bQ hits _ => compared_by_turns threshold bT bQ hits d
  | _ => ret Nothing
  end.

Definition in_part (Ms : list (data -> dist release)) (keys : list constant) (of : domain) (k : constant) (x : list row) : dist release :=
  nth (index k keys) Ms (fun _ => ret Nothing) (Rows of x).

Definition parallel_rule (Ms : list (data -> dist release)) (keys : list constant) (d : data) : dist release :=
  match d with
  | Parts of ks p => if constants_eqb keys ks then bind (parallel (in_part Ms keys of) keys p) (fun l => ret (Several l)) else ret Nothing
  | _ => ret Nothing
  end.

(** One measurement for all parts, of keys that differ. *)
Definition on_every_part (M : data -> dist release) (d : data) : dist release :=
  match d with
  | Parts of ks p => if distinct ks then bind (parallel (fun _ x => M (Rows of x)) ks p) (fun l => ret (Several l)) else ret Nothing
  | _ => ret Nothing
  end.

(** Each row by itself, the reports in an order drawn fairly. *)
Definition each_row (M : data -> dist release) (d : data) : dist release :=
  match d with
  | Rows _ x => bind (LocalModel.reports (fun r => M (Value (class I (Expression (ERow None)) r))) x) (fun l => ret (Several l))
  | _ => ret Nothing
  end.

(** A measurement on the rows whose class is one of its own. *)
Definition is_one (k : constant) (ks : list constant) : bool := existsb (constant_eqb k) ks.
Definition of_classes (by_ : expr) (part : list constant * (data -> dist release)) (d : data) : dist release :=
  match d with
  | Rows of x => snd part (Rows of (filter (fun r => is_one (class I (Expression by_) r) (fst part)) x))
  | d => snd part d
  end.

(** A rule applied to what its premises mean. *)
Definition combined (r : rule) (Ms : list (data -> dist release)) : data -> dist release :=
  match r, Ms with
  | PostProcess f, [M] => fun d => bind (M d) (processed I f)
  | Convert _ _ _ _ _, [M] | Group _, [M] => M
  | Compose _, Ms | Advanced _ _, Ms | AdvancedOrPlain _ _, Ms | Optimal _, Ms | Unequal _, Ms => fun d => bind (all Ms d) (fun l => ret (Several l))
  | Locally, [M] | Shuffled _ _, [M] => each_row M
  | ParallelSymmetric _ keys, Ms | ParallelChangeOne _ keys, Ms => parallel_rule Ms keys
  | ParallelAlike _, [M] => on_every_part M
  | ParallelAlikeChangeOne _, [M; _] => on_every_part M
  | Overlapping _ by_ touched, Ms => fun d => bind (all (map (of_classes by_) (combine touched Ms)) d) (fun l => ret (Several l))
  | r, _ => measure_rule r
  end.

(** Transformations and measurements by turns: each measurement after the transformation before it. *)
Definition parts (denote : node -> data -> dist release) : list node -> list (data -> dist release) :=
  fix go ps := match ps with t :: p :: ps => (fun d => denote p (run t d)) :: go ps | _ => [] end.

Fixpoint denote (n : node) : data -> dist release :=
  match n with
  | Tree (Jointly _ _ _) ps => fun d => bind (all (parts denote ps) d) (fun l => ret (Several l))
  | Tree Chain ps =>
      (fix go ps d := match ps with [] => ret Nothing | [p] => denote p d | p :: ps => go ps (run p d) end) ps
  | Tree r ps => combined r (map denote ps)
  end.
End Meaning.
Arguments arranged {I}. Arguments step_rule {I}. Arguments run {I}. Arguments noised {I}. Arguments chosen {I}. Arguments compared {I}. Arguments chosen_stage {I}.
Arguments staged {I}. Arguments answers {I}. Arguments answers_at_orders {I}. Arguments said {I}. Arguments compared_by_turns {I}. Arguments measure_rule {I}. Arguments in_part {I}. Arguments parallel_rule {I}. Arguments on_every_part {I}. Arguments each_row {I}. Arguments of_classes {I}. Arguments combined {I}. Arguments parts {I}. Arguments denote {I}.
