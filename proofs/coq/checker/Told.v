(** * The verdict in words

    [told c] are the lines in which an accepted certificate is spoken of: its claims, what deserves attention, and what nobody
    proved, each assumption in full: of what, between data how far apart, and who must see to it. *)
From Coq Require Import String List ZArith QArith Qround Bool Ascii.
From DPchecker Require Import Json Language Ordered Named Meaning Numbers Distances StepFacts Promises Decode Domains Check Quoted.
Import ListNotations.
Open Scope string_scope.
Set Implicit Arguments.

(** ** Things in words *)
Definition joined : string -> list string -> string := String.concat.
(** Eight, and how many more. *)
Definition some (between : string) (l : list string) : string :=
  joined between (firstn 8 l)
  ++ match skipn 8 l with [] => "" | rest => between ++ "and " ++ digits_of (Zlength rest) ++ " more" end.

Definition function_in_words (f : func) : string := quoted (name_of f) ++ " (sha256 " ++ digest_of f ++ ")".
Definition constant_in_words (c : constant) : string :=
  match c with
  | CNull => "missing" | CTruth b => if b then "true" else "false" | CNumber q => dumped_number q | CText s | CDate s => quoted s end.
Definition between_in_words (low high : option string) : string :=
  (match low with Some l => " from " ++ l | None => "" end) ++ (match high with Some h => " to " ++ h | None => "" end).
Definition unless_empty (s : string) : option string := match s with "" => None | _ => Some (quoted s) end.
Definition norm_name (n : norm) : string := match n with N1 => "L1" | N2 => "L2" | NInf => "LInf" end.
Definition counted (n : positive) : string := digits_of (Zpos n) ++ " of them".

(** What data of the domain can be. *)
Fixpoint in_words (d : domain) : string :=
  match d with
  | DNumber low high step =>
      (match step with Some s => if Qeq_bool s 1 then "whole numbers" else "multiples of " ++ dumped_number s | None => "numbers" end)
      ++ between_in_words (option_map dumped_number low) (option_map dumped_number high)
  | DBooleans => "true or false"
  | DText => "texts"
  | DDate first last => "dates" ++ between_in_words (unless_empty first) (unless_empty last)
  | DCategories values => "one of " ++ some ", " (map constant_in_words values)
  | DOptional each => "missing, or " ++ in_words each
  | DFields fields => "{" ++ some "; " (map (fun p => quoted (fst p) ++ ": " ++ in_words (snd p)) fields) ++ "}"
  | DVector each size norm_ bound =>
      "vectors (" ++ in_words each ++ ", " ++ counted size
      ++ (match norm_, bound with
          | Some n, Some b => ", of a norm (" ++ norm_name n ++ ") of at most " ++ dumped_number b | _, _ => "" end) ++ ")"
  | DRows each size => "rows (" ++ in_words each ++ (match size with Some n => ", " ++ counted n | None => "" end) ++ ")"
  | DParts each keys => "parts (" ++ in_words each ++ ") for each of " ++ some ", " (map constant_in_words keys)
  | DGraphs n => "graphs of " ++ digits_of (Zpos n) ++ " nodes"
  | DUnknown => "anything"
  end.

Fixpoint spelled (e : expr) : string :=
  match e with
  | EConstant c => constant_in_words c
  | ERow _ => "row"
  | EField n _ => "field(" ++ quoted n ++ ")"
  | EOperation op l => op ++ "(" ++ joined ", " (map spelled l) ++ ")"
  end.

(** With the function that says how far apart data are, and the author's words as such. *)
Fixpoint metric_in_words (m : metric) : string :=
  match m with
  | Granularity name f _ =>
      "one step of " ++ quoted name ++ ", in the words of its author; how far apart data are, says the function " ++ function_in_words f
  | PathGranularity name f _ =>
      "one step of " ++ quoted name ++ ", in the words of its author; which data are one step apart, says the function " ++ function_in_words f
      ++ "; data k apart are joined by k steps"
  | Person who => "all rows of one person, whom the field " ++ quoted who ++ " names, added or removed"
  | Part within => metric_in_words within ++ ", in any of the parts"
  | m => words m
  end.
Definition metric_name (m : metric) : string :=
  match m with
  | Symmetric => "Symmetric" | ChangeOne => "ChangeOne" | Person _ => "Person" | Discrete => "Discrete" | Absolute => "Absolute"
  | L1 => "L1" | L2 => "L2" | LInf => "LInf" | Range => "Range" | Part _ => "Part" | Edge => "Edge" | Node => "Node"
  | Granularity _ _ _ => "Granularity"
  | PathGranularity _ _ _ => "PathGranularity"
  | Moved => "Moved"
  end.

(** ** Numbers of a claim: exact where they are short, else fifteen digits, rounded to the side on which the claim is still true *)
Fixpoint without_zeros (fuel : nat) (m : Z) : Z :=
  match fuel with O => m | S fuel => if Z.eqb (m mod 10) 0 then without_zeros fuel (m / 10) else m end.
Definition zeros (n : Z) : string := string_of_list_ascii (repeat "0"%char (Z.to_nat n)).
Definition length_of (s : string) : Z := Z.of_nat (String.length s).
Definition after (n : nat) (s : string) : string := substring n (String.length s - n) s.
(** The digits [s], the first of them standing for a multiple of 10^e. *)
Definition placed (s : string) (e : Z) : string :=
  let n := length_of s in
  let pointed k := substring 0 k s ++ match after k s with "" => "" | rest => "." ++ rest end in
  if (0 <=? e)%Z && (e <? 15)%Z then (if (n <=? e + 1)%Z then s ++ zeros (e + 1 - n) else pointed (Z.to_nat (e + 1)))
  else if (-5 <=? e)%Z && (e <? 0)%Z then "0." ++ zeros (- e - 1) ++ s
  else pointed 1%nat ++ "e" ++ digits_of e.
Definition number_in_words (down : bool) (q : Q) : string :=
  let p := Qnum q in let d := Zpos (Qden q) in
  if (Z.max p d <? 1000000000)%Z then dumped_number q else
  let e := (length_of (digits_of p) - length_of (digits_of d))%Z in
  let e := (if (if 0 <=? e then p <? d * 10 ^ e else p * 10 ^ (- e) <? d) then e - 1 else e)%Z in
  let k := (14 - e)%Z in
  let '(p, d) := if (0 <=? k)%Z then (p * 10 ^ k, d)%Z else (p, d * 10 ^ (- k))%Z in
  let m := if down then (p / d)%Z else (- (- p / d))%Z in
  let '(m, e) := (if m <? 1000000000000000 then (m, e) else (100000000000000, e + 1))%Z in
  placed (digits_of (without_zeros 15 m)) e.

(** ** Assumptions *)
Definition read_it : string := "; whoever relies on this must read the function".
Definition prove_it : string := "; whoever relies on this must prove it of the function".
Definition prove_them : string := "; whoever relies on this must prove it of all parts together".
Definition prove_each : string := "; whoever relies on this must prove it of each stage that can be chosen".
Definition see_to_it : string := "; whoever relies on this must see that no other is answered".
Definition work_out : string := "; whoever relies on this must work it out".
Definition reading (rule : string) (f : func) (does : string) : string :=
  rule ++ ": the function " ++ function_in_words f ++ " " ++ does ++ read_it.
Definition answering (rule : string) (s : spoken) : list string :=
  match s with Function f => [reading rule f "answers of one row at a time, and always alike"] | _ => [] end.
Definition making (output : domain) (how_many : string) : string :=
  "makes of each row, by itself and always alike, " ++ how_many ++ " of: " ++ in_words output.
Definition staying_words (e : expr) (declared : domain) : string :=
  "the values of the row expression " ++ spelled e ++ " stay in: " ++ in_words declared ++ work_out.
Definition found_in (row : looked_at) (e : expr) : domain := match values row e with Some d => d | None => DNumber None None None end.
Definition staying (row : looked_at) (e : expr) (declared : domain) : list string :=
  match follow row e declared with
  | Some (_ :: _) => [staying_words e declared]
  | _ => []
  end.
Definition unknown_answers (row : looked_at) (queries : list expr) : list string :=
  flat_map (fun e => if is_unknown (found_in row e) then [staying_words e (DNumber (Some 0%Q) (Some 1%Q) None)] else []) queries.
Definition promising (rule : string) (f map_ : func) (source : metric) (of : string) (promised : list (list Q)) : string :=
  rule ++ ": the function " ++ function_in_words f ++ " by the map " ++ function_in_words map_
  ++ ": between data d apart (1 apart is: " ++ metric_in_words source ++ ") " ++ of
  ++ " is 0 at d = 0, also to rows in another order, else at most (d, figures; L2 and mu as squares): " ++ listed promised ++ prove_it.

Definition moved_by (m : from) : string := match m with FromChangeOne => "one row replaced by another" | _ => words Symmetric end.
Definition metrics_in (fs : list fact) : list string :=
  flat_map (fun f => match f with Measured m => [metric_name m] | _ => [] end) fs.
(** What each of the transformations of a general composition gives is measured in these metrics. *)
Fixpoint parts_in_words (i : Z) (given : list (list fact)) : list string :=
  match given with
  | [] => []
  | fs :: given => ("part " ++ digits_of i ++ " (" ++ joined ", " (sorted_once (metrics_in fs)) ++ ")") :: parts_in_words (i + 1)%Z given
  end.

(** What nobody proved of one rule, in full. [row] is the domain of the rows, [fs] what is known of the data it is given. *)
Definition own (r : rule) (ps : list node) (d : domain) (fs : list fact) : list string :=
  let row := match d with DRows e _ | DVector e _ _ _ => e | _ => DUnknown end in
  match r with
  | PostProcess f => [reading "post_process" f "is given what was released, and nothing else of the data"]
  | RowMap (Expression e) output => staying (seen [e] row) e output
  | RowMap (Fields es) output =>
      let row := seen (map snd es) row in let es := asked_of (Zlength es) es in
      flat_map (fun p => match by_name (fst p) es with Some e => staying row e (snd p) | None => [] end) (fields_in output)
  | RowMap (Function f) output => [reading "row_map" f (making output "one")]
  | FlatMap f output _ => [reading "flat_map_symmetric" f (making output "some")]
  | Filter m c => answering ("filter_" ++ from_name m) c
  | Histogram m n b _ => answering (histogram_name m n) b
  | Partition m b _ => answering ("partition_" ++ from_name m) b
  | ThresholdRelease b _ _ => answering "threshold_release" b
  | LinearQueries m queries column =>
      (unknown_answers (seen queries row) queries
       ++ (if few_for column queries
           then [(moved_by m ++ " moves the answers to these linear queries by at most " ++ dumped_number column ++ " in all: "
                 ++ some "; " (map spelled queries) ++ work_out)%string] else []))%list
  | UnitQueries _ queries =>
      unknown_answers (seen queries row) queries
  | FromGranularity n =>
      match find (is_granularity_of n) fs with
      | Some (Measured (Granularity name f _)) | Some (Measured (PathGranularity name f _)) =>
          ["data d apart in the metric " ++ quoted name ++ " (words of its author), which the function " ++ function_in_words f
           ++ " measures, differ by at most " ++ digits_of (Zpos n) ++ " d rows, for every d" ++ read_it]
      | _ => []
      end
  | ClaimedTransformation f map_ source output target promised =>
      [promising "claimed_transformation" f map_ source
        ("how far apart (1 apart is: " ++ metric_in_words target ++ ") its values are, each one of: " ++ in_words output ++ ",")
        (map (fun p => [fst p; snd p]) promised)]
  | ClaimedMeasurement f map_ source m promised =>
      [promising "claimed_measurement" f map_ source ("the loss in " ++ measure_name m) (map (fun p => fst p :: figures_at m (snd p)) promised)]
  | Jointly m joint source =>
      let given t := match far t (one_step source fs) with Some (gs, _) => gs | None => [] end in
      ["general_composition_" ++ measure_name m ++ ": between data 1 apart (" ++ metric_in_words source
       ++ ") what the parts are given differs by at most one of (L2 as squares): " ++ listed joint ++ ", for: "
       ++ some ", " (parts_in_words 1 (map given (firsts ps))) ++ prove_them]
  | Asking m budget more source =>
      ["filter_" ++ measure_name m ++ ": each question is charged at least what it loses between data 1 apart (" ++ metric_in_words source
       ++ "), sees no order of rows, and is answered only while all charges (of parts, the dearest) come to at most" ++ budget_in_words m budget more ++ see_to_it]
  | AskingAtOrders points source =>
      ["filter_renyi: each question is charged at least what it loses between data 1 apart (" ++ metric_in_words source
       ++ "), sees no order of rows, and is answered only while all charges (of parts, the dearest) come to at most" ++ orders_in_words points ++ see_to_it]
  | Comparing _ _ _ _ source =>
      ["above_threshold_asked_pure: between data 1 apart (" ++ metric_in_words source ++ ") each query moves by at most 1, none sees the order of rows, "
       ++ "and after so many answers above as it may give, none is answered" ++ see_to_it]
  | Adaptive m losses choices source =>
      let rule := "adaptive_" ++ measure_name m in
      ((rule ++ ": no stage sees the order of rows, and between data 1 apart (" ++ metric_in_words source
        ++ ") the stages cost at most, however they choose" ++ (match m with MGaussian => " (mu as squares)" | _ => "" end) ++ ": "
        ++ listed (map (loss_figures m) losses) ++ ", as chosen by " ++ some ", " (map function_in_words choices) ++ prove_each)%string
       :: map (fun f => reading rule f "chooses the next stage by what was released before, and by nothing else of the data") choices)%list
  | _ => []
  end.

(** Through the tree, each rule with the data that it is given. *)
Fixpoint assumed (n : node) (d : domain) (m : metric) (fs : list fact) : list string :=
  let step := if is_change_one m then d else unsized d in
  let of_step := match step_facts fs with Some gs => gs | None => fs end in
  match n with
  | Tree r ps =>
      (own r ps d fs ++
       match r, d with
       | Chain, _ =>
           (fix go ps d m fs := match ps with
            | [] => []
            | p :: ps =>
                let gs := match far p fs with Some (gs, _) => gs | None => fs end in
                (assumed p d m fs ++ match fits p d m with Some (Some (e, k), _) => go ps e k gs | _ => go ps d m gs end)%list
            end) ps d m fs
       | Jointly _ _ source, _ =>
           (fix go ps := match ps with
            | [] => []
            | [p] => assumed p step m fs
            | t :: p :: ps =>
                let fs := one_step source fs in
                let gs := match far t fs with Some (gs, _) => gs | None => fs end in
                (assumed t step m fs ++ match fits t step m with Some (Some (e, k), _) => assumed p e k gs | _ => assumed p d m gs end ++ go ps)%list
            end) ps
       | Overlapping _ _ _, DRows e _ => flat_map (fun p => assumed p (DRows e None) Symmetric (one_step Symmetric fs)) ps
       | Locally, DRows e _ | Shuffled _ _, DRows e _ => flat_map (fun p => assumed p e Discrete [Measured Discrete]) ps
       | ParallelSymmetric _ _, DParts e _ => flat_map (fun p => assumed p (DRows e None) Symmetric [Measured Symmetric; Of e]) ps
       | ParallelChangeOne _ keys, DParts e _ =>
           (fix go i ps := match ps with
            | [] => []
            | p :: ps =>
                let w := match i with O => ChangeOne | S _ => Symmetric end in
                (assumed p (DRows e None) w [Measured w; Of e] ++ go (Nat.pred i) ps)%list
            end) (length keys) ps
       | ParallelAlike _, DParts e _ => flat_map (fun p => assumed p (DRows e None) Symmetric [Measured Symmetric; Of e]) ps
       | ParallelAlikeChangeOne _, DParts e _ =>
           (fix go w ps := match ps with
            | [] => []
            | p :: ps => (assumed p (DRows e None) w [Measured w; Of e] ++ go ChangeOne ps)%list
            end) Symmetric ps
       | Asking _ _ _ source, _ | AskingAtOrders _ source, _ => flat_map (fun p => assumed p step m (one_step source fs)) ps
       | Group _, _ => flat_map (fun p => assumed p step m of_step) ps
       | _, _ => flat_map (fun p => assumed p d m fs) ps
       end)%list
  end.
Definition assumptions_in_full (c : certificate) : list string :=
  sorted_once (assumed (derivation c) (input c) (input_metric c) (start c)).

(** No rule is passed over: of each its own assumptions are told. *)
Inductive stands_in (r : rule) (ps : list node) : node -> Prop :=
| Here : stands_in r ps (Tree r ps)
| Below s qs q : In q qs -> stands_in r ps q -> stands_in r ps (Tree s qs).

Theorem told_of_each r ps n : stands_in r ps n -> forall d m fs, exists e gs, incl (own r ps e gs) (assumed n d m fs).
Proof.
  intros H. induction H as [|s qs q J H IH]; intros d m fs.
  { exists d, fs. cbn [assumed]. apply incl_appl, incl_refl. }
  assert (In_some : forall l e k gs, In q l -> exists e' gs', incl (own r ps e' gs') (flat_map (fun p => assumed p e k gs) l)).
  { intros l e k gs K. destruct (IH e k gs) as (e' & gs' & L). exists e', gs'. intros x X. apply in_flat_map. exists q. auto. }
  assert (Go : forall (f : domain -> metric -> list fact -> list node -> list string),
    (exists e gs, incl (own r ps e gs) (f d m fs qs)) -> exists e gs, incl (own r ps e gs) (own s qs d fs ++ f d m fs qs)).
  { intros f (e & gs & L). exists e, gs. now apply incl_appr. }
  assert (Chained : exists e gs, incl (own r ps e gs) ((fix go ps d m fs := match ps with
            | [] => []
            | p :: ps =>
                let gs := match far p fs with Some (gs, _) => gs | None => fs end in
                (assumed p d m fs ++ match fits p d m with Some (Some (e, k), _) => go ps e k gs | _ => go ps d m gs end)%list
            end) qs d m fs)).
  { clear Go In_some. revert d m fs J. induction qs as [|p qs IHq]; intros d m fs J; [contradiction|]. destruct J as [->|J].
    - destruct (IH d m fs) as (e & gs & L). exists e, gs. now apply incl_appl.
    - cbv zeta. set (ks := match far p fs with Some (gs, _) => gs | None => fs end).
      destruct (fits p d m) as [[[[e' k]|] a]|];
        [destruct (IHq e' k ks J) as (e & gs & L) | destruct (IHq d m ks J) as (e & gs & L) | destruct (IHq d m ks J) as (e & gs & L)];
        exists e, gs; now apply incl_appr. }
  assert (Paired : forall source, exists e gs, incl (own r ps e gs) ((fix go ps := match ps with
            | [] => []
            | [p] => assumed p (if is_change_one m then d else unsized d) m fs
            | t :: p :: ps =>
                let fs := one_step source fs in
                let gs := match far t fs with Some (gs, _) => gs | None => fs end in
                (assumed t (if is_change_one m then d else unsized d) m fs ++ match fits t (if is_change_one m then d else unsized d) m with Some (Some (e, k), _) => assumed p e k gs | _ => assumed p d m gs end ++ go ps)%list
            end) qs)).
  { intros source. clear Go In_some Chained. revert J. induction qs as [| p | t p qs IHq] using pairs_ind; intros J; [contradiction| |].
    - destruct J as [->|[]]. apply IH.
    - cbv zeta. destruct J as [->|[->|J]].
      + destruct (IH (if is_change_one m then d else unsized d) m (one_step source fs)) as (e & gs & L). exists e, gs. now apply incl_appl.
      + set (ks := match far t _ with Some (gs, _) => gs | None => _ end).
        destruct (fits t _ m) as [[[[e' k]|] a]|];
          [destruct (IH e' k ks) as (e & gs & L) | destruct (IH d m ks) as (e & gs & L) | destruct (IH d m ks) as (e & gs & L)];
          exists e, gs; now apply incl_appr, incl_appl.
      + destruct (IHq J) as (e & gs & L). exists e, gs. now apply incl_appr, incl_appr. }
  cbn [assumed].
  assert (All : exists e gs, incl (own r ps e gs) (flat_map (fun p => assumed p d m fs) qs)) by (now apply In_some).
  assert (R : forall l, (exists e gs, incl (own r ps e gs) l) -> exists e gs, incl (own r ps e gs) (own s qs d fs ++ l)).
  { intros l (e & gs & L). exists e, gs. now apply incl_appr. }
  apply R. destruct s; try exact All; try exact Chained; try apply Paired; try (now apply In_some);
    try (destruct d; try exact All; now apply In_some).
  - destruct d as [| | | | | | | | |e ks| |]; try exact All. generalize (length keys). clear All Go Chained Paired In_some R.
    induction qs as [|p qs IHq]; intros n; [contradiction|]. destruct J as [->|J].
    + cbv zeta. set (w := match n with O => ChangeOne | S _ => Symmetric end).
      destruct (IH (DRows e None) w [Measured w; Of e]) as (e' & gs & L). exists e', gs. now apply incl_appl.
    + cbv zeta. destruct (IHq J (Nat.pred n)) as (e' & gs & L). exists e', gs. now apply incl_appr.
  - destruct d as [| | | | | | | | |e ks| |]; try exact All. generalize Symmetric. clear All Go Chained Paired In_some R.
    induction qs as [|p qs IHq]; intros w; [contradiction|]. destruct J as [->|J].
    + destruct (IH (DRows e None) w [Measured w; Of e]) as (e' & gs & L). exists e', gs. now apply incl_appl.
    + destruct (IHq J ChangeOne) as (e' & gs & L). exists e', gs. now apply incl_appr.
Qed.

(** ** All lines *)
Definition figures_in_words (m : measure) (p : Q * (Q * Q)) : list string :=
  let up := number_in_words false in let down := number_in_words true in
  let x := fst p in let a := fst (snd p) in let b := snd (snd p) in
  match m with
  | MRenyi => ["at order " ++ down x ++ " epsilon <= " ++ up a]
  | MProfile => ["at epsilon " ++ up x ++ " delta <= " ++ up a]
  | MTradeoff => ["a test with false positives of " ++ down x ++ " misses at least " ++ down a]
  | MApprox => ["epsilon <= " ++ up a; "delta <= " ++ up b] | MApproxZcdp => ["rho <= " ++ up a; "delta <= " ++ up b]
  | m => map (fun name => name ++ " <= " ++ up a) (figures_of m)
  end.
Definition claim_in_words (way : metric) (cl : claim) : string :=
  measure_name (claimed_measure cl) ++ ": "
  ++ joined ", " (flat_map (figures_in_words (claimed_measure cl)) (claimed cl))
  ++ ", between data " ++ number_in_words true (d_in cl) ++ " apart"
  ++ "; 1 apart is: " ++ metric_in_words way.

Definition told (c : certificate) : list string :=
  let named (word : string) (lines : list string) := map (fun line => word ++ ": " ++ line) lines in
  (named "claim" (map (claim_in_words (input_metric c)) (claims c)) ++ named "attention" (attention c)
   ++ named "assumption" (assumptions_in_full c))%list.

Fixpoint rules_in (fuel : nat) (j : json) : list string :=
  match fuel with O => [] | S fuel => the_rule j :: flat_map (rules_in fuel) (the_list "premises" j) end.
Definition taken_on_trust : list string := ["claimed_transformation"; "claimed_measurement"; "granularity_to_symmetric"].
Definition standing (rule : string) : string :=
  rule ++ (if member rule taken_on_trust then " (assumed: the user's word)" else " (proved)").

(** What is said of a certificate that is accepted: before, and after what stays trusted. *)
Definition told_of (j : json) : list string * list string :=
  let evidence := flat_map (fun x => match x with JText s => ["evidence, not proof: " ++ pieces s] | _ => [] end) (the_list "evidence" j) in
  ((match certificate_ j with Some c => told c | None => [] end ++ evidence)%list,
   [("rules: " ++ joined ", " (map standing (sorted_once (rules_in depth (the_field "derivation" j)))))%string]).
