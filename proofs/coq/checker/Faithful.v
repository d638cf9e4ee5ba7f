(** * On the declared data, the meaning of a rule is the plain one

    [Meaning.v] clamps, cuts off and replaces, so that soundness needs no assumption on data. dpcore refuses data outside the
    declared domain where they come in; on what it lets through, none of that changes anything. *)
From Coq Require Import List ZArith QArith Qround Qreals Reals Lra Lia Bool.
From DPcore Require Import Distributions Metrics Norms Totals Sums RowStability.
From DPchecker Require Import Language Meaning Numbers Vectors Stability.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Lemma clamp_inside l h z : (l <= z <= h)%Z -> clamp l h z = z.
Proof. unfold clamp; lia. Qed.

(** A multiple of the step is so many steps. *)
Lemma steps_of_multiple g z : 0 < Q2R g -> steps g (inject_Z z * g) = z.
Proof.
  intros G. unfold steps. pose proof (floor_R (inject_Z z * g / g)) as F. pose proof (Qnonzero_R g G).
  rewrite Q2R_div, Q2R_mult, Q2R_Z in F by assumption.
  replace (IZR z * Q2R g / Q2R g) with (IZR z) in F by (field; lra). destruct F as [F1 F2].
  assert (Qfloor (inject_Z z * g / g) < z + 1)%Z by (apply lt_IZR; rewrite plus_IZR; lra).
  assert (z < Qfloor (inject_Z z * g / g) + 1)%Z by (apply lt_IZR; rewrite plus_IZR; lra). lia.
Qed.

Lemma ceiling_in_steps g low z : 0 < Q2R g -> Q2R low <= IZR z * Q2R g -> (Qceiling (low / g) <= z)%Z.
Proof.
  intros G L. pose proof (Qnonzero_R g G) as N. assert (Qceiling (low / g) < z + 1)%Z; [|lia].
  assert (L' : Q2R (low / g) <= IZR z) by (rewrite Q2R_div by exact N; apply Rmult_le_reg_r with (Q2R g); [exact G | field_simplify; lra]).
  unfold Qceiling. pose proof (floor_R (- (low / g))) as [_ F]. rewrite Q2R_opp in F. apply lt_IZR. rewrite opp_IZR, plus_IZR. lra.
Qed.
Lemma floor_in_steps g high z : 0 < Q2R g -> IZR z * Q2R g <= Q2R high -> (z <= Qfloor (high / g))%Z.
Proof.
  intros G H. pose proof (Qnonzero_R g G) as N. assert (z < Qfloor (high / g) + 1)%Z; [|lia].
  assert (H' : IZR z <= Q2R (high / g)) by (rewrite Q2R_div by exact N; apply Rmult_le_reg_r with (Q2R g); [exact G | field_simplify; lra]).
  pose proof (floor_R (high / g)) as [_ F]. apply lt_IZR. rewrite plus_IZR. lra.
Qed.

Lemma positive_step g : 0 < Q2R g -> Qlt_bool 0 g = true.
Proof.
  intros G. unfold Qlt_bool. apply negb_true_iff. destruct (Qle_bool g 0) eqn:F; [|reflexivity]. apply Qle_R in F. rewrite Q2R_0 in F. lra.
Qed.

Section Faithful.
Variable I : interpretation.

(** A sum over rows that are multiples of the step from low to high is the sum of their values. *)
Theorem sum_faithful m low high l h g (x : list (row I)) (whole : row I -> Z) : 0 < Q2R g ->
  (forall r, In r x -> value I r = (inject_Z (whole r) * g)%Q /\ Q2R low <= Q2R (value I r) <= Q2R high) ->
  (Qceiling (low / g) <= Qfloor (high / g))%Z ->
  step_rule (Sum m low high) (Rows (DNumber l h (Some g)) x : data I) = Number g (total whole x).
Proof.
  intros G H L. cbn [step_rule]. apply Z.leb_le in L as L'. rewrite positive_step, L' by exact G. cbn [andb]. f_equal. clear L'.
  induction x as [|r x IH]; [reflexivity|]. cbn [map total fold_right].
  change (sum_rows (?a :: ?b)) with (a + sum_rows b)%Z.
  destruct (H r (or_introl eq_refl)) as [V B]. rewrite V in B |- *. rewrite Q2R_mult, Q2R_Z in B.
  rewrite steps_of_multiple by exact G. rewrite clamp_inside by (split; [apply ceiling_in_steps | apply floor_in_steps]; tauto).
  f_equal. apply IH. intros s J. apply H. now right.
Qed.

(** A row that is a vector of the declared domain, [whole] being its entries in steps, counts as it is. *)
Definition inside (g : Q) (low high : option Q) (z : Z) : Prop :=
  match low with Some l => Q2R l <= IZR z * Q2R g | None => True end /\ match high with Some h => IZR z * Q2R g <= Q2R h | None => True end.
Definition no_longer_than (g : Q) (n : option norm) (b : option Q) (v : list Z) : Prop :=
  match n, b with Some n, Some b => norm_R n (values (Q2R g) v) <= Q2R (bound_of n b) | _, _ => True end.

Lemma clamp_to_inside g low high z : 0 < Q2R g -> inside g low high z -> clamp_to g low high z = z.
Proof.
  intros G [L H]. unfold clamp_to. destruct high as [h|]; [apply (@floor_in_steps g h z G) in H; rewrite Z.min_r by exact H|];
  (destruct low as [l|]; [apply (@ceiling_in_steps g l z G) in L; now rewrite Z.max_r | reflexivity]).
Qed.

Lemma sized_id A n (zero : A) v : length v = n -> sized n zero v = v.
Proof. intros <-. induction v as [|a v IH]; simpl; congruence. Qed.

Theorem vector_in_faithful size g low high n b (r : row I) whole : 0 < Q2R g ->
  coordinates I r = map (fun z => inject_Z z * g)%Q whole -> length whole = Pos.to_nat size ->
  Forall (inside g low high) whole -> no_longer_than g n b whole -> vector_in I size g low high n b r = whole.
Proof.
  intros G V L B N. unfold vector_in.
  assert (S : map (steps g) (coordinates I r) = whole).
  { rewrite V, map_map, (map_ext _ (fun z => z)) by (intros; now apply steps_of_multiple). apply map_id. }
  rewrite S, sized_id by exact L. clear S.
  assert (C : map (fun z => clamp_to g low high z) whole = whole).
  { clear V L N. induction B as [|z v H _ IH]; simpl; [reflexivity|]. now rewrite clamp_to_inside, IH. }
  rewrite C. destruct n as [n|], b as [b|]; try reflexivity. cbn [no_longer_than] in N. rewrite <- norm_of_R in N.
  destruct (Qle_bool _ (bound_of n b)) eqn:E; [reflexivity|]. apply Qgt_R in E. lra.
Qed.

Theorem vector_sum_faithful m squared bound size low high g n b (x : list (row I)) (whole : row I -> list Z) : 0 < Q2R g ->
  (forall r, In r x -> coordinates I r = map (fun z => inject_Z z * g)%Q (whole r) /\ length (whole r) = Pos.to_nat size /\
    Forall (inside g low high) (whole r) /\ no_longer_than g n b (whole r)) ->
  step_rule (VectorSum m squared bound size) (Rows (DVector (DNumber low high (Some g)) size n b) x : data I) =
  Vector g (vector_sum (Pos.to_nat size) (map whole x)).
Proof.
  intros G H. cbn [step_rule]. rewrite positive_step, Pos.eqb_refl by exact G. cbn [andb]. do 2 f_equal.
  apply map_ext_in. intros r J. destruct (H r J) as (V & L & B & N). now apply vector_in_faithful.
Qed.

(** Answers that are multiples of the step from 0 to 1 are added up as they are. *)
Theorem linear_queries_faithful m queries most D (x : list (row I)) (whole : expr -> row I -> Z) :
  let g := answers_step I D queries in 0 < Q2R g ->
  (forall e r, In e queries -> In r x -> answer I D e r = (inject_Z (whole e r) * g)%Q /\ 0 <= Q2R (answer I D e r) <= 1) ->
  step_rule (LinearQueries m queries most) (Rows D x : data I) = Vector g (totals (map whole queries) x).
Proof.
  intros g G H. cbn [step_rule]. fold g. rewrite positive_step by exact G. f_equal. unfold totals. rewrite !map_map.
  apply map_ext_in. intros e Je. specialize (H e). clear m most. induction x as [|r x IH]; [reflexivity|]. simpl. f_equal.
  - destruct (H r Je (or_introl eq_refl)) as [V B]. unfold answer_in. rewrite V in B |- *. rewrite Q2R_mult, Q2R_Z in B.
    rewrite steps_of_multiple by exact G. apply clamp_inside. split.
    + apply le_IZR. apply Rmult_le_reg_r with (Q2R g); [exact G | lra].
    + apply floor_in_steps; [exact G | rewrite Q2R_1; lra].
  - apply IH. intros s _ J. apply H; [exact Je | now right].
Qed.

(** New rows within the limit are all kept. *)
Theorem flat_map_faithful f output limit D (x : list (row I)) :
  (forall r, In r x -> (length (new_rows I f r) <= Pos.to_nat limit)%nat) ->
  step_rule (FlatMap f output limit) (Rows D x : data I) = Rows output (flat_map (new_rows I f) x).
Proof.
  intros H. cbn [step_rule]. f_equal. induction x as [|r x IH]; [reflexivity|]. simpl.
  rewrite firstn_all2 by (apply H; now left). f_equal. apply IH. intros s J; apply H; now right.
Qed.

(** A person's answer that is one of the answers is that answer. *)
Theorem among_faithful answers c : In c answers -> among answers c = c.
Proof.
  intros J. unfold among. assert (existsb (constant_eqb c) answers = true) as ->; [|reflexivity].
  apply existsb_exists. exists c; split; [exact J | now apply constant_eqb_eq].
Qed.
End Faithful.
