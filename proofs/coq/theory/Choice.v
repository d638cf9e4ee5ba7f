(** * Choosing from a list: randomized response and the exponential mechanism *)
From Coq Require Import Reals Lra Psatz Lia List ZArith.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Norms Powers Renyi BoundedRange.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

(** One of [cs], with probability proportional to its weight. *)
Section Pick.
Variables (C : Type) (w : C -> R) (cs : list C).
Hypothesis positive : forall c, 0 < w c.
Hypothesis nonempty : cs <> [].

Lemma sum_weights_pos : 0 < sum w cs.
Proof.
  destruct cs as [|c l]; [contradiction|]. simpl. pose proof (positive c).
  assert (0 <= sum w l) by (apply sum_nonneg; intros; left; auto). lra.
Qed.

Definition pick : dist C.
Proof.
  refine (@choose C (fun c => / sum w cs * w c) cs _ _); pose proof sum_weights_pos as H.
  - intros c. apply Rmult_le_pos; [left; now apply Rinv_0_lt_compat | left; auto].
  - rewrite sum_scale. field; lra.
Defined.

Lemma pick_expect f : pick f = / sum w cs * sum (fun c => w c * f c) cs.
Proof. simpl. rewrite <- sum_scale. apply sum_ext; intros; ring. Qed.
End Pick.

(** ** Randomized response: the truth with probability p, each other answer with an equal share of the rest *)
Section RandomizedResponse.
Variables (C : Type) (eqC : forall a b : C, {a = b} + {a <> b}) (answers : list C) (p : R).
Let k := INR (length answers).
Hypothesis distinct : NoDup answers.
Hypothesis at_least_two : (2 <= length answers)%nat.
Hypothesis truthful : / k <= p < 1.

Lemma k_ge_2 : 2 <= k. Proof. apply (le_INR 2) in at_least_two. exact at_least_two. Qed.
Lemma p_pos : 0 < p. Proof. pose proof k_ge_2. assert (0 < / k) by (apply Rinv_0_lt_compat; lra). lra. Qed.

Definition answer_weight (x a : C) : R := if eqC a x then p else (1 - p) / (k - 1).

Lemma answer_weight_pos x a : 0 < answer_weight x a.
Proof. pose proof k_ge_2. pose proof p_pos. unfold answer_weight.
destruct (eqC a x); [lra | apply Rdiv_lt_0_compat; lra]. Qed.

Lemma answers_nonempty : answers <> [].
Proof. intros E. rewrite E in at_least_two. simpl in at_least_two. lia. Qed.

Definition respond (x : C) : dist C := pick (answer_weight x) (answer_weight_pos x) answers_nonempty.

(** For an answer of the list, the weights are the probabilities. *)
Lemma answers_total x : In x answers -> sum (answer_weight x) answers = 1.
Proof.
  intros I. assert (G : forall l, NoDup l ->
    (~ In x l -> sum (answer_weight x) l = INR (length l) * ((1 - p) / (k - 1))) /\
    (In x l -> sum (answer_weight x) l = p + (INR (length l) - 1) * ((1 - p) / (k - 1)))).
  { induction l as [|a l IH]; intros ND; [split; [intros; simpl; ring | intros []]|].
    inversion ND; subst. destruct (IH H2) as [I1 I2]. change (length (a :: l)) with (S (length l)). rewrite S_INR. simpl sum.
    unfold answer_weight at 1 3. destruct (eqC a x) as [->|N]; split; intros J.
    - exfalso; apply J; now left.
    - rewrite I1 by assumption. ring.
    - rewrite I1 by (intros K; apply J; now right). ring.
    - destruct J as [J|J]; [contradiction|]. rewrite (I2 J). ring. }
  rewrite (proj2 (G answers distinct) I). fold k. pose proof k_ge_2. field; lra.
Qed.

Theorem randomized_response :
  private (on (fun x => In x answers) discrete) pure respond (fun d => Rmin d 1 * ln (p * (k - 1) / (1 - p))).
Proof.
  intros d x y (Ix & Iy & Hd & E). pose proof k_ge_2 as K. pose proof p_pos as P0.
  set (c := p * (k - 1) / (1 - p)).
  assert (pk : 1 <= p * k).
  { destruct truthful as [T _]. apply Rmult_le_compat_r with (r := k) in T; [|lra]. rewrite Rinv_l in T; lra. }
  assert (c1 : 1 <= c).
  { apply Rmult_le_reg_r with (1 - p); [lra|]. unfold c, Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  assert (L : 0 <= ln c) by (rewrite <- ln_1; apply ln_le; lra).
  destruct E as [->|E].
  { apply div_le with zero; [apply Rmult_le_pos; [apply Rmin_glb; lra | exact L] | now apply div_same]. }
  rewrite Rmin_right by lra. apply div_le with (ln c); [simpl; lra|]. intros f F. rewrite Rplus_0_r, exp_ln by lra.
  unfold respond. rewrite !pick_expect, !answers_total by assumption. rewrite Rinv_1, !Rmult_1_l, <- sum_scale.
  apply sum_le; intros a _. destruct (F a) as [F0 _]. rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [exact F0|].
  assert (Ec : c * ((1 - p) / (k - 1)) = p) by (unfold c; field; lra).
  assert (0 < (1 - p) / (k - 1)) by (apply Rdiv_lt_0_compat; lra).
  unfold answer_weight. destruct (eqC a x), (eqC a y); nra.
Qed.
Corollary randomized_response_linear :
  private (on (fun x => In x answers) discrete) pure respond (fun d => d * ln (p * (k - 1) / (1 - p))).
Proof.
  intros d x y D. apply div_le with (2 := randomized_response D). apply Rmult_le_compat_r; [|apply Rmin_l].
  pose proof k_ge_2. destruct truthful as [T _]. apply Rmult_le_compat_r with (r := k) in T; [|lra].
  rewrite Rinv_l in T by lra. rewrite <- ln_1. apply ln_le; [lra|].
  apply Rmult_le_reg_r with (1 - p); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.
End RandomizedResponse.

(** ** Scores of n candidates: a vector on a grid of step [g] *)
Definition score (g : R) (v : list Z) (i : nat) : R := g * IZR (nth i v 0%Z).

(** Between scores at a range of d, every score moves by between [- down] and [up]. *)
Lemma scores_move g d v w : range_distance g d v w ->
  exists up down, up + down <= d /\ 0 <= up /\ 0 <= down /\ forall i, - down <= score g w i - score g v i <= up.
Proof.
  intros [E H]. apply range_le in H. destruct H as (up & down & S & Hu & Hd & K).
  exists up, down; repeat split; auto; destruct (Nat.lt_ge_cases i (length v)) as [L|L];
  try (unfold score; rewrite !nth_overflow by lia; lra);
  (assert (I : In (g * (IZR (nth i w 0%Z) - IZR (nth i v 0%Z))) (moves g v w));
   [|specialize (K _ I); unfold score; lra]);
  clear -E L; revert w i E L; induction v as [|a v IH]; intros [|b w] [|i] E L; simpl in *; try lia; auto;
  right; apply IH; lia.
Qed.

(** ** The exponential mechanism: one of n candidates, with probability proportional to [exp(score/scale)] *)
Section Exponential.
Variables (g scale : R) (n : nat).
Hypothesis scale_pos : 0 < scale.
Hypothesis some : (0 < n)%nat.
Notation score := (score g).

Lemma candidates_nonempty : seq 0 n <> [].
Proof. destruct n; [lia | discriminate]. Qed.

Definition exponential_mechanism (v : list Z) : dist nat :=
  pick (fun i => exp (score v i / scale)) (fun i => exp_pos _) candidates_nonempty.

Lemma exponential_in_range d v w : range_distance g d v w ->
  exists a b, in_range (exponential_mechanism v) (exponential_mechanism w) a b /\ b - a <= d / scale.
Proof.
  intros D. destruct (scores_move D) as (up & down & S & Hu & Hd & K).
  set (wv := fun i => exp (score v i / scale)). set (ww := fun i => exp (score w i / scale)).
  pose proof (@sum_weights_pos _ wv _ (fun i => exp_pos _) candidates_nonempty) as Zv.
  pose proof (@sum_weights_pos _ ww _ (fun i => exp_pos _) candidates_nonempty) as Zw.
  set (zv := sum wv (seq 0 n)) in *. set (zw := sum ww (seq 0 n)) in *.
  exists (ln (zw / zv) + - (up / scale)), (ln (zw / zv) + down / scale). split.
  - assert (Is : 0 < / scale) by now apply Rinv_0_lt_compat.
    intros f B N. unfold exponential_mechanism. rewrite !pick_expect. fold wv ww zv zw.
    rewrite !exp_plus, exp_ln by (now apply Rdiv_lt_0_compat).
    assert (Lower : exp (- (up / scale)) * sum (fun i => ww i * f i) (seq 0 n) <= sum (fun i => wv i * f i) (seq 0 n)).
    { rewrite <- sum_scale. apply sum_le. intros i _. rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [apply N|].
      unfold ww, wv. rewrite <- exp_plus. apply exp_le. specialize (K i). unfold Rdiv. nra. }
    assert (Upper : sum (fun i => wv i * f i) (seq 0 n) <= exp (down / scale) * sum (fun i => ww i * f i) (seq 0 n)).
    { rewrite <- sum_scale. apply sum_le. intros i _. rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [apply N|].
      unfold ww, wv. rewrite <- exp_plus. apply exp_le. specialize (K i). unfold Rdiv. nra. }
    set (sv := sum (fun i => wv i * f i) (seq 0 n)) in *. set (sw := sum (fun i => ww i * f i) (seq 0 n)) in *.
    change (sum (fun i => exp (score v i / scale) * f i) (seq 0 n)) with sv.
    change (sum (fun i => exp (score w i / scale) * f i) (seq 0 n)) with sw.
    assert (I : 0 < / zv) by now apply Rinv_0_lt_compat.
    replace (zw / zv * exp (- (up / scale)) * (/ zw * sw)) with (/ zv * (exp (- (up / scale)) * sw)) by (field; lra).
    replace (zw / zv * exp (down / scale) * (/ zw * sw)) with (/ zv * (exp (down / scale) * sw)) by (field; lra).
    split; apply Rmult_le_compat_l; lra.
  - replace (ln (zw / zv) + down / scale - (ln (zw / zv) + - (up / scale))) with ((up + down) / scale) by (field; lra).
    apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat | exact S].
Qed.

Theorem exponential_range : private (range_distance g) zcdp exponential_mechanism (fun d => d / scale * (d / scale) / 8).
Proof. intros d v w D. destruct (exponential_in_range D) as (a & b & H & E). now apply range_zcdp with a b. Qed.

Theorem exponential_linf : private (linf g) zcdp exponential_mechanism (fun d => 2 * d / scale * (2 * d / scale) / 8).
Proof. intros d v w D. exact (exponential_range (linf_to_range D)). Qed.
End Exponential.
