(** * The normal distribution

    [Phi] is its distribution function and [phi] its density. The constant is the area under [exp (-t^2/2)], whatever it is:
    nothing here needs that it is the square root of 2 pi. *)
From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From DPcore Require Import Indistinguishability.
Open Scope R_scope.
Set Implicit Arguments.

(** ** Functions that rise *)
Lemma rises (f f' : R -> R) x y : (forall t, x <= t <= y -> is_derive f t (f' t)) -> (forall t, x <= t <= y -> 0 <= f' t) ->
  x <= y -> f x <= f y.
Proof.
  intros D N H. destruct (MVT_gen f x y f') as (c & I & E); rewrite Rmin_left, Rmax_right in * by lra.
  - intros t T. apply D. lra.
  - intros t T. apply continuity_pt_filterlim, (ex_derive_continuous f). exists (f' t). now apply D.
  - specialize (N c I). assert (0 <= f' c * (y - x)) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma rises_strictly (f f' : R -> R) x y : (forall t, is_derive f t (f' t)) -> (forall t, 0 < f' t) -> x < y -> f x < f y.
Proof.
  intros D N H. destruct (MVT_gen f x y f') as (c & I & E).
  - intros t _. apply D.
  - intros t _. apply continuity_pt_filterlim, (ex_derive_continuous f). now exists (f' t).
  - specialize (N c). assert (0 < f' c * (y - x)) by (apply Rmult_lt_0_compat; lra). lra.
Qed.

(** ** The bell and its area *)
Definition bell (t : R) : R := exp (- (t * t / 2)).
Definition area (x : R) : R := RInt bell 0 x.

Lemma bell_pos t : 0 < bell t. Proof. apply exp_pos. Qed.
Lemma bell_even t : bell (- t) = bell t. Proof. unfold bell. f_equal. field. Qed.

Lemma bell_derive t : is_derive bell t (- t * bell t).
Proof. unfold bell. auto_derive; [exact I | unfold Rdiv; field]. Qed.

Lemma bell_continuous t : continuous bell t.
Proof. apply (ex_derive_continuous bell). eexists. apply bell_derive. Qed.

Lemma area_derive x : is_derive area x (bell x).
Proof.
  apply (is_derive_RInt bell area 0 x); [|apply bell_continuous].
  exists (mkposreal 1 Rlt_0_1). intros y _.
  apply (RInt_correct bell 0 y), (@ex_RInt_continuous R_CompleteNormedModule). intros t _. apply bell_continuous.
Qed.

Lemma area_0 : area 0 = 0. Proof. exact (RInt_point 0 bell). Qed.

Lemma area_increasing x y : x < y -> area x < area y.
Proof. apply rises_strictly with bell; [apply area_derive | apply bell_pos]. Qed.

Lemma area_opp x : area (- x) = - area x.
Proof.
  assert (C : forall x, 0 <= x -> area x + area (- x) = 0).
  { clear x. intros x X.
    assert (D : forall t, is_derive (fun t => area t + area (- t)) t 0).
    { intros t. evar_last. apply (is_derive_plus area (fun t => area (- t))); [apply area_derive|].
      apply (is_derive_comp area Ropp t (bell (- t)) (-1)); [apply area_derive | auto_derive; [exact I | ring]].
      rewrite bell_even. unfold plus, scal; simpl; unfold mult; simpl. ring. }
    assert (D' : forall t, is_derive (fun t => - (area t + area (- t))) t 0).
    { intros t. evar_last. apply (is_derive_opp (fun t => area t + area (- t))), D. unfold opp; simpl; ring. }
    pose proof (@rises _ _ 0 x (fun t _ => D t) (fun t _ => Rle_refl 0) X) as A.
    pose proof (@rises _ _ 0 x (fun t _ => D' t) (fun t _ => Rle_refl 0) X) as B.
    cbv beta in A, B. rewrite Ropp_0, !area_0 in *. lra. }
  destruct (Rle_dec 0 x) as [X|X]; [specialize (C x X); lra|].
  specialize (C (- x) ltac:(lra)). rewrite Ropp_involutive in C. lra.
Qed.

(** [t^2/2 >= t - 1/2]. *)
Lemma area_bounded x : area x <= exp (1 / 2).
Proof.
  destruct (Rle_dec 0 x) as [X|X].
  - assert (K : - exp (1 / 2 - 0) - area 0 <= - exp (1 / 2 - x) - area x).
    { apply rises with (f := fun t => - exp (1 / 2 - t) - area t) (f' := fun t => exp (1 / 2 - t) - bell t); [| |exact X].
      - intros t _. apply (is_derive_minus (fun t => - exp (1 / 2 - t)) area t (exp (1 / 2 - t)) (bell t)); [|apply
          area_derive]. auto_derive; [exact I | unfold Rminus; ring].
      - intros t _. assert (bell t <= exp (1 / 2 - t)); [|lra]. unfold bell.
        pose proof (Rle_0_sqr (t - 1)) as S. unfold Rsqr in S.
        apply exp_le. nra. }
    rewrite area_0, !Rminus_0_r in K. pose proof (exp_pos (1 / 2 - x)). lra.
  - pose proof (@area_increasing x 0 ltac:(lra)). rewrite area_0 in H. pose proof (exp_pos (1 / 2)). lra.
Qed.

(** The area from 0 on: the supremum. *)
Lemma half_exists : { h | is_lub (fun y => exists x, y = area x) h }.
Proof.
  apply completeness; [exists (exp (1 / 2)); intros y (x & ->); apply area_bounded | exists (area 0), 0; reflexivity].
Qed.
Definition half : R := proj1_sig half_exists.

Lemma area_half x : area x < half.
Proof.
  unfold half. destruct half_exists as (h & U & L). simpl.
  apply Rlt_le_trans with (area (x + 1)); [apply area_increasing; lra | apply U; now exists (x + 1)].
Qed.

Lemma area_near e : 0 < e -> exists x, half - e < area x.
Proof.
  unfold half. destruct half_exists as (h & U & L). simpl. intros E.
  apply Classical_Prop.NNPP. intros N. assert (h <= h - e); [|lra]. apply L. intros y (x & ->).
  apply Rnot_lt_le. intros C. apply N. now exists x.
Qed.

Lemma half_pos : 0 < half. Proof. rewrite <- area_0. apply area_half. Qed.

(** ** The distribution function and the density *)
Definition phi (t : R) : R := bell t / (2 * half).
Definition Phi (t : R) : R := 1 / 2 + area t / (2 * half).

Lemma phi_pos t : 0 < phi t.
Proof. pose proof half_pos. apply Rdiv_lt_0_compat; [apply bell_pos | lra]. Qed.
Lemma phi_even t : phi (- t) = phi t. Proof. unfold phi. now rewrite bell_even. Qed.

Lemma phi_derive t : is_derive phi t (- t * phi t).
Proof.
  unfold phi, Rdiv. evar_last. apply (is_derive_scal_l bell t (- t * bell t) (/ (2 * half))), bell_derive.
  unfold scal; simpl; unfold mult; simpl. ring.
Qed.

Lemma phi_continuous t : continuous phi t.
Proof. apply (ex_derive_continuous phi). eexists. apply phi_derive. Qed.

(** The likelihood ratio of a shift. *)
Lemma phi_shift t mu : phi (t + mu) = exp (- (mu * t + mu * mu / 2)) * phi t.
Proof. unfold phi, bell, Rdiv. rewrite <- Rmult_assoc, <- exp_plus. do 2 f_equal. field. Qed.

Lemma Phi_derive t : is_derive Phi t (phi t).
Proof.
  pose proof half_pos. unfold Phi, phi, Rdiv. evar_last.
  apply (is_derive_plus (fun _ => 1 * / 2) (fun t => area t * / (2 * half))); [apply is_derive_const|].
  apply (is_derive_scal_l area t (bell t) (/ (2 * half))), area_derive.
  unfold scal, plus, zero; simpl; unfold mult; simpl. ring.
Qed.

Lemma Phi_continuous t : continuous Phi t.
Proof. apply (ex_derive_continuous Phi). eexists. apply Phi_derive. Qed.

Lemma Phi_increasing x y : x < y -> Phi x < Phi y.
Proof. apply rises_strictly with phi; [apply Phi_derive | apply phi_pos]. Qed.
Lemma Phi_le x y : x <= y -> Phi x <= Phi y.
Proof. intros [H| ->]; [left; now apply Phi_increasing | lra]. Qed.
Lemma Phi_le_inv x y : Phi x <= Phi y -> x <= y.
Proof. intros H. apply Rnot_lt_le. intros C. apply Phi_increasing in C. lra. Qed.

Lemma Phi_0 : Phi 0 = 1 / 2.
Proof. unfold Phi. rewrite area_0. unfold Rdiv. ring. Qed.
Lemma Phi_opp t : Phi (- t) = 1 - Phi t.
Proof. unfold Phi. rewrite area_opp. pose proof half_pos. field. lra. Qed.

Lemma Phi_below_1 t : Phi t < 1.
Proof.
  pose proof half_pos. pose proof (area_half t). unfold Phi. assert (area t / (2 * half) < 1 / 2); [|lra].
  apply Rmult_lt_reg_r with (2 * half); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.
Lemma Phi_between t : 0 < Phi t < 1.
Proof. split; [|apply Phi_below_1]. pose proof (Phi_below_1 (- t)). rewrite Phi_opp in H. lra. Qed.

(** It comes as near to 1 and to 0 as one likes, and takes every value between. *)
Lemma Phi_near_1 e : 0 < e -> exists t, 1 - e < Phi t.
Proof.
  intros E. pose proof half_pos. destruct (@area_near (2 * half * e)) as (t & T); [apply Rmult_lt_0_compat; lra|].
  exists t. unfold Phi. assert (1 / 2 - e < area t / (2 * half)); [|lra].
  apply Rmult_lt_reg_r with (2 * half); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.
Lemma Phi_near_0 e : 0 < e -> exists t, Phi t < e.
Proof. intros E. destruct (Phi_near_1 E) as (t & T). exists (- t). rewrite Phi_opp. lra. Qed.

Lemma Phi_takes p : 0 < p < 1 -> exists t, Phi t = p.
Proof.
  intros I. destruct (@Phi_near_0 p) as (a & A); [lra|]. destruct (@Phi_near_1 (1 - p)) as (b & B); [lra|].
  assert (a < b) by (apply Rnot_le_lt; intros C; apply Phi_le in C; lra).
  destruct (IVT_gen Phi a b p) as (t & _ & T).
  - intros t. apply continuity_pt_filterlim, Phi_continuous.
  - rewrite Rmin_left, Rmax_right by lra. lra.
  - now exists t.
Qed.
