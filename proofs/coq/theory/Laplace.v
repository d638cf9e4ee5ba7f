(** * Discrete Laplace noise

    P(z) is proportional to [exp(-|z|/s)] on the integers, [s] being the scale in grid steps. Since
    [|z - x| <= |z - y| + |x - y|], the weights around x and around y differ by a factor of at most [exp(|x - y|/s)]. *)
From Coq Require Import Reals Lra Psatz Lia List ZArith.
From Coquelicot Require Import Coquelicot.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Norms Combinators
  Powers Renyi Conversions AdvancedComposition Integers.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Lemma exp_pow a n : exp a ^ n = exp (INR n * a).
Proof.
  induction n; [simpl; rewrite Rmult_0_l, exp_0; lra|].
  rewrite S_INR, <- tech_pow_Rmult, IHn, <- exp_plus. f_equal; lra.
Qed.

Section Scale.
Variable s : R.
Hypothesis positive : 0 < s.

Definition laplace_weight (x z : Z) : R := exp (- (Rabs (IZR (z - x)) / s)).

Lemma laplace_weight_pos x z : 0 < laplace_weight x z. Proof. apply exp_pos. Qed.

Lemma laplace_weight_ratio x y z : laplace_weight x z <= exp (Rabs (IZR (y - x)) / s) * laplace_weight y z.
Proof.
  unfold laplace_weight; rewrite <- exp_plus. apply exp_le. unfold Rdiv.
  replace (Rabs (IZR (y - x)) * / s + - (Rabs (IZR (z - y)) * / s)) with (- ((Rabs (IZR (z - y)) - Rabs (IZR (y - x)))
    * / s)) by ring.
  apply Ropp_le_contravar, Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|].
  rewrite !minus_IZR. pose proof (Rabs_triang (IZR z - IZR x) (IZR x - IZR y)) as T.
  replace (IZR z - IZR x + (IZR x - IZR y)) with (IZR z - IZR y) in T by ring.
  rewrite (Rabs_minus_sym (IZR x) (IZR y)) in T. lra.
Qed.

Lemma ratio_between : 0 < exp (- / s) < 1.
Proof.
  split; [apply exp_pos|]. rewrite <- exp_0. apply exp_increasing. pose proof (Rinv_0_lt_compat s positive); lra.
Qed.

Lemma laplace_weight_abs z : laplace_weight 0 z = exp (- / s) ^ Z.abs_nat z.
Proof.
  rewrite exp_pow. unfold laplace_weight. f_equal. rewrite Z.sub_0_r, INR_IZR_INZ, Zabs2Nat.id_abs, abs_IZR.
  unfold Rdiv; ring.
Qed.

Lemma summable_laplace x : summable (laplace_weight x).
Proof.
  assert (G : ex_series (fun n => exp (- / s) ^ n)) by (apply ex_series_geom; rewrite Rabs_pos_eq;
    apply ratio_between || (left; apply ratio_between)).
  apply summable_le with (fun z => exp (Rabs (IZR (0 - x)) / s) * laplace_weight 0 z).
  { intros z. rewrite Rabs_pos_eq by (left; apply laplace_weight_pos). apply laplace_weight_ratio. }
  apply summable_scale. split.
  - eapply ex_series_ext; [|exact G]. intros n. unfold upper. rewrite laplace_weight_abs. f_equal; lia.
  - eapply ex_series_ext; [|exact (ex_series_scal_l (exp (- / s)) _ G)].
    intros n. unfold lower. rewrite laplace_weight_abs. change (scal ?a ?b) with (a * b).
    replace (Z.abs_nat (- Z.of_nat (S n))) with (S n) by lia. reflexivity.
Qed.

Lemma sumZ_laplace x : sumZ (laplace_weight x) = sumZ (laplace_weight 0).
Proof.
  destruct (sumZ_shift (- x) (summable_laplace 0)) as [_ <-]. apply sumZ_ext. intros z. unfold laplace_weight.
  now replace (z + - x - 0)%Z with (z - x)%Z by lia.
Qed.

(** x plus noise. *)
Definition discrete_laplace (x : Z) : dist Z := proportional (laplace_weight_pos x) (summable_laplace x).

Lemma discrete_laplace_ratio x y f : bounded f -> nonneg f ->
  discrete_laplace x f <= exp (Rabs (IZR (y - x)) / s) * discrete_laplace y f.
Proof.
  intros B N; simpl. rewrite (sumZ_laplace x), (sumZ_laplace y). set (c := exp _).
  pose proof (sumZ_pos (laplace_weight_pos 0) (summable_laplace 0)) as H. apply Rinv_0_lt_compat in H.
  assert (sumZ (fun z => laplace_weight x z * f z) <= c * sumZ (fun z => laplace_weight y z * f z)).
  { rewrite <- sumZ_scale. apply sumZ_le.
    - intros z. specialize (N z). pose proof (laplace_weight_pos x z). pose proof (laplace_weight_ratio x y z) as R.
      fold c in R.
      split; [nra|]. rewrite <- Rmult_assoc. now apply Rmult_le_compat_r.
    - apply summable_scale, summable_times; [apply laplace_weight_pos | apply summable_laplace | exact B]. }
  nra.
Qed.

Lemma discrete_laplace_ind x y : ind (discrete_laplace x) (discrete_laplace y) (Rabs (IZR (y - x)) / s) 0.
Proof. intros f F. rewrite Rplus_0_r. apply discrete_laplace_ratio; auto with bounded. Qed.
End Scale.

(** The mass function in closed form: the definition is the one meant. *)
Theorem discrete_laplace_mass s (H : 0 < s) x k :
  discrete_laplace H x (fun z => if Z.eqb z k then 1 else 0) =
  (1 - exp (- / s)) / (1 + exp (- / s)) * exp (- (Rabs (IZR (k - x)) / s)).
Proof.
  unfold discrete_laplace. rewrite proportional_mass, (sumZ_laplace H). fold (laplace_weight s x k).
  pose proof (ratio_between H) as Q. set (q := exp (- / s)) in *.
  assert (E : sumZ (laplace_weight s 0) = (1 + q) / (1 - q)); [|rewrite E; field; lra].
  unfold sumZ.
  rewrite (Series_ext (upper (laplace_weight s 0)) (fun n => q ^ n))
    by (intros n; unfold upper; rewrite laplace_weight_abs; fold q; f_equal; lia).
  rewrite (Series_ext (lower (laplace_weight s 0)) (fun n => q * q ^ n)).
  2:{ intros n; unfold lower; rewrite laplace_weight_abs; fold q.
      replace (Z.abs_nat (- Z.of_nat (S n))) with (S n) by lia. reflexivity. }
  rewrite Series_scal_l. change (Series (pow q)) with (Series (fun n => q ^ n)).
  rewrite !Series_geom by (rewrite Rabs_pos_eq; lra). field; lra.
Qed.

(** ** On vectors: independent noise on each coordinate *)
Fixpoint noisy {A} (noise : A -> dist Z) (v : list A) : dist (list Z) :=
  match v with [] => ret [] | a :: v => bind (noise a) (fun z => bind (noisy noise v) (fun w => ret (z :: w))) end.

(** The losses of the coordinates add up. *)
Lemma noisy_close {L} {O : losses L} (ms : measure L) {D : divergence ms} {C : composes ms} (noise : Z ->
  dist Z) (l : Z -> Z -> L) v w :
  (forall a b, ms _ (noise a) (noise b) (l a b)) -> length v = length w ->
  ms _ (noisy noise v) (noisy noise w) (plus_all (map (fun p => l (fst p) (snd p)) (combine v w))).
Proof.
  intros H; revert w; induction v as [|a v IH]; intros [|b w] E; try discriminate; simpl; [apply div_same, same_refl|].
  apply div_bind; [apply H|]. intros z. apply div_post, IH. now injection E.
Qed.

Lemma plus_all_sum ls : plus_all ls = sum (fun l => l) ls.
Proof. induction ls; simpl; congruence. Qed.

(** The scale and the distances are in units; a grid step is [g] of them. One number, and a vector. *)
Lemma scale_in_steps g scale : 0 < g -> 0 < scale -> 0 < scale / g.
Proof. intros; now apply Rdiv_lt_0_compat. Qed.

Theorem laplace g scale (G : 0 < g) (S : 0 < scale) :
  private (absolute g) pure (discrete_laplace (scale_in_steps G S)) (fun d => d / scale) /\
  private (l1 g) pure (noisy (discrete_laplace (scale_in_steps G S))) (fun d => d / scale).
Proof.
  assert (E : forall a b, Rabs (IZR (b - a)) / (scale / g) = Rabs (g * (IZR b - IZR a)) / scale).
  { intros a b. rewrite minus_IZR, Rabs_mult, (Rabs_pos_eq g) by lra. field; lra. }
  split.
  - intros d a b H. apply div_le with (2 := discrete_laplace_ind (scale_in_steps G S) a b). simpl.
    rewrite E. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat | exact H].
  - intros d v w [Len H].
    pose proof (fun H => @noisy_close _ _ pure _ _ (discrete_laplace (scale_in_steps G S)) (fun a b => Rabs (IZR (b -
      a)) / (scale / g)) v w H Len) as N.
    specialize (N (discrete_laplace_ind (scale_in_steps G S))).
    apply div_le with (2 := N). simpl. rewrite plus_all_sum, sum_map.
    rewrite (sum_ext _ (fun p => / scale * Rabs (g * (IZR (snd p) - IZR (fst p))))) by (intros; rewrite E; unfold Rdiv;
      ring).
    rewrite sum_scale. unfold norm1, moves in H. rewrite sum_map in H. unfold Rdiv. rewrite Rmult_comm.
    apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat | exact H].
Qed.

(** A check that the rules fit together: the losses that [laplace] gives are what advanced composition asks for. *)
Example two_releases g scale (G : 0 < g) (S : 0 < scale) slack : 0 < slack < 1 ->
  let release := discrete_laplace (scale_in_steps G S) in
  let spent := [fun d => d / scale; fun d => d / scale] in
  private (absolute g) approx (all [release; release])
    (fun d => (sqrt (2 * ln (1 / slack) * squares spent d) + drifts spent d, slack)).
Proof.
  intros H release spent. destruct (laplace G S) as [L _]. apply advanced_composition_pure; [| | exact H].
  - exact (Forall2_cons _ _ L (Forall2_cons _ _ L (Forall2_nil _))).
  - intros l d [<-|[<-|[]]] D; now apply Rdiv_nonneg.
Qed.

Example release_total_variation g scale (G : 0 < g) (S : 0 < scale) :
  private (absolute g) total_variation (discrete_laplace (scale_in_steps G S))
    (fun d => (exp (d / scale) - 1) / (exp (d / scale) + 1)).
Proof.
  apply (pure_to_total_variation (eps := fun d => d / scale)); [intros d D; now apply Rdiv_nonneg | apply (laplace G S)].
Qed.
