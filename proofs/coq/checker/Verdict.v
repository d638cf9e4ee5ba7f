(** * The verdict, and what it means *)
From Coq Require Import String List ZArith QArith Qreals Reals Bool.
From DPcore Require Import Distributions.
From DPchecker Require Import Json Language Ordered Alike Meaning Numbers Distances Losses Rounding Compare Promises Cost Check Decode Domains Printed Quoted Told.
Import ListNotations.
Open Scope string_scope.
Set Implicit Arguments.

(** The claim is no more than what was worked out, but for rounding; of beta, no less. *)
Definition close_to (figure claimed : Q) : bool :=
  if le_quick claimed (figure * (1000000000000001 # 1000000000000000)) then true else le_quick claimed (1 # Pos.pow 10 300).
Definition near (m : measure) (l k : loss) : bool :=
  let k := squared m k in
  match m with MTradeoff => close_to (fst k) (fst l) | _ => if close_to (fst l) (fst k) then close_to (snd l) (snd k) else false end.

(** How many bits the least figure claimed asks for. *)
Definition smallest (cl : claim) : Z :=
  let size q := (Z.log2 (Zpos (Qden q)) - Z.log2 (Qnum q))%Z in
  let of k := Z.max (size (fst k)) (size (snd k)) in
  fold_right (fun p n => Z.max n (of (squared (claimed_measure cl) (snd p)))) 0%Z (claimed cl).

(** First fast: sums are exact while they are short, else good to about a hundred and thirty bits of what is claimed. If
    that decides nothing, they are exact up to some thousands of bits. *)
Definition rough_bits (cl : claim) : Z := (40 + Z.min (smallest cl) 1100)%Z.
Definition fast_mode (cl : claim) : mode := {| exact := false; grain := 130 + smallest cl; room := 160; rough := rough_bits cl |}.
Definition exact_mode (cl : claim) : mode := {| exact := true; grain := 130 + smallest cl; room := 1024; rough := rough_bits cl |}.

Definition holds_in (md : mode) (c : certificate) (cl : claim) : bool :=
  let m := claimed_measure cl in
  match worked_out md c cl with
  | Some ls => if at_all_points (no_more m) ls (claimed cl) then at_all_points (near m) ls (claimed cl) else false | None => false end.

(** More than is claimed, but by so little that it may be rounding. *)
Definition a_little_more (m : measure) (l k : loss) : bool :=
  let grown q := (q * (1000000000000000001 # 1000000000000000000))%Q in
  match m with MTradeoff => le_quick (fst k) (grown (fst l)) | _ => no_more m l (grown (fst k), grown (snd k)) end.

(** Conditionals, where [&&] and [||] would have Coq's machine compute both sides. *)
Definition claim_holds (c : certificate) (cl : claim) : bool :=
  let m := claimed_measure cl in
  match worked_out (fast_mode cl) c cl with
  | Some ls =>
      if at_all_points (no_more m) ls (claimed cl) then at_all_points (near m) ls (claimed cl)
      else if at_all_points (a_little_more m) ls (claimed cl) then holds_in (exact_mode cl) c cl else false
  | None => false
  end.

(** A delta of 1 promises nothing. *)
Definition not_vacuous (m : measure) (l : loss) : bool :=
  match m with MApprox | MApproxZcdp => Qlt_bool (snd l) 1 | MTotalVariation | MProfile => Qlt_bool (fst l) 1 | _ => true end.
Definition claim_fits (c : certificate) (cl : claim) : bool :=
  let m := input_metric c in let ms := claimed_measure cl in
  (is_whole (d_in cl) || negb (counts_steps m)) &&
  (Qle_bool (d_in cl) 1 || match m with Discrete => false | _ => true end) &&
  (negb (Qeqb (d_in cl) 1) || match m, size_of (input c) with (Symmetric | Person _), Some _ => false | _, _ => true end) &&
  forallb (fun p => on_curve ms (fst p)) (claimed cl) && forallb (fun p => not_vacuous ms (snd p)) (claimed cl).

(** No loss at all: then the claim is next to nothing. Of the curves whose points are a delta or a beta it is not said. *)
Definition is_zero (l : loss) : bool := if Qeq_bool (fst l) 0 then Qeq_bool (snd l) 0 else false.
Definition lossless (c : certificate) : bool :=
  forallb (fun cl => match claimed_measure cl with
    | MProfile | MTradeoff => false
    | m => if forallb (fun p => near m zero_loss (snd p)) (claimed cl) then
             match worked_out (exact_mode cl) c cl with Some ls => forallb is_zero ls | None => false end else false end) (claims c).

Definition texts_eqb := list_eqb String.eqb.

Definition check (c : certificate) : bool :=
  forallb (claim_holds c) (claims c) &&
  forallb (claim_fits c) (claims c) && measured_by (input_metric c) (input c) &&
  match fits (derivation c) (input c) (input_metric c) with
  | Some (None, notes) =>
      texts_eqb (assumptions c) (sorted_once notes) &&
      texts_eqb (attention c) (sorted_once (remarks (derivation c)) ++ (if lossless c then [no_loss] else []))%list &&
      String.eqb (neighbours c) (words (input_metric c))
  | _ => false
  end.

(** A trade-off curve of the user's own may not be convex, so it says nothing of a mixture over keys. *)
Fixpoint some_rule (p : rule -> bool) (n : node) : bool := match n with Tree r ps => if p r then true else existsb (some_rule p) ps end.
Definition by_key (r : rule) : bool := match r with BoundContributions Fairly _ _ | Resize _ _ => true | _ => false end.
Definition own_curve (r : rule) : bool := match r with ClaimedMeasurement _ _ _ MTradeoff _ => true | _ => false end.
Definition mixes (n : node) : bool := if some_rule by_key n then negb (some_rule own_curve n) else true.

Inductive verdict := Accepted | Rejected.

Definition verdict_on (j : json) : verdict :=
  match certificate_ j with
  | Some c => if check c then if parts_alike depth (the_field "derivation" j) then if mixes (derivation c) then Accepted else Rejected else Rejected else Rejected
  | None => Rejected
  end.

(** ** What is accepted is private *)
Lemma claim_holds_covered c cl : claim_holds c cl = true -> exists md, covered md c cl = true.
Proof.
  unfold claim_holds, holds_in, covered. cbv zeta. intros H. destruct (worked_out (fast_mode cl) c cl) as [ls|] eqn:W; [|discriminate H].
  destruct (at_all_points (no_more (claimed_measure cl)) ls (claimed cl)) eqn:M; [exists (fast_mode cl); now rewrite W|].
  destruct (at_all_points (a_little_more (claimed_measure cl)) ls (claimed cl)); [|discriminate H]. exists (exact_mode cl).
  destruct (worked_out (exact_mode cl) c cl) as [ks|]; [|discriminate H]. now destruct (at_all_points (no_more _) ks _).
Qed.

Theorem check_sound c : check c = true -> forall cl, In cl (claims c) -> forall (I : interpretation), promises I (derivation c) ->
  forall x y : data I, inputs c (d_in cl) x y -> forall p, In p (claimed cl) ->
  promise (claimed_measure cl) (fst p) (snd p) (denote (derivation c) x) (denote (derivation c) y).
Proof.
  unfold check. intros H cl J. rewrite !andb_true_iff in H. destruct H as [[[H F] _] _].
  rewrite forallb_forall in H, F. specialize (H cl J). specialize (F cl J). unfold claim_fits in F. cbv zeta in F.
  rewrite !andb_true_iff in F. destruct F as [[_ F] _]. destruct (claim_holds_covered _ _ H) as (md & C). now apply (@covered_sound md c cl).
Qed.

(** What is promised is printed, and what a distance of 1 is. *)
Theorem check_printed c : check c = true -> incl (words_of (derivation c)) (assumptions c) /\ neighbours c = words (input_metric c).
Proof.
  unfold check. intros H. rewrite !andb_true_iff in H. destruct H as [_ H]. destruct (fits _ _ _) as [[[o|] notes]|] eqn:F; try discriminate.
  rewrite !andb_true_iff in H. destruct H as [[A _] N]. apply (list_eqb_eq String.eqb) in A; [|intros s t E; now apply String.eqb_eq].
  rewrite A. split; [|now apply String.eqb_eq]. intros w J. now apply sorted_once_in, (fits_prints _ _ _ F).
Qed.

Theorem verdict_sound j : verdict_on j = Accepted -> exists c, certificate_ j = Some c /\
  incl (words_of (derivation c)) (assumptions c) /\ neighbours c = words (input_metric c) /\
  forall cl, In cl (claims c) -> forall (I : interpretation), promises I (derivation c) ->
  forall x y : data I, inputs c (d_in cl) x y -> forall p, In p (claimed cl) ->
  promise (claimed_measure cl) (fst p) (snd p) (denote (derivation c) x) (denote (derivation c) y).
Proof.
  unfold verdict_on. destruct (certificate_ j) as [c|]; [|discriminate]. destruct (check c) eqn:E; [|discriminate].
  intros _. exists c; split; [reflexivity|]. destruct (check_printed _ E) as [P N]. split; [exact P|]. split; [exact N|]. now apply check_sound.
Qed.

(** What is said of it passes over no rule: of each, what nobody proved. *)
Theorem verdict_told j : verdict_on j = Accepted -> exists c, certificate_ j = Some c /\
  forall r ps, stands_in r ps (derivation c) -> exists d fs, forall s, In s (own r ps d fs) -> In ("assumption: " ++ s) (fst (told_of j)).
Proof.
  intros H. apply verdict_sound in H. destruct H as (c & E & _). exists c. split; [exact E|]. intros r ps S.
  destruct (told_of_each S (input c) (input_metric c) (Check.start c)) as (d & fs & L). exists d, fs. intros s K.
  unfold told_of. rewrite E. cbn [fst]. unfold told. cbv zeta. apply in_or_app; left. apply in_or_app; right. apply in_or_app; right.
  apply (in_map (fun line => "assumption" ++ ": " ++ line)) with (x := s) . apply sorted_once_in, L, K.
Qed.
