(** * Discrete Gaussian noise on a number, as a profile: distance and variance are counted in steps of the grid *)
From Coq Require Import ZArith QArith Qround Qreals Reals Lra List Bool.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Integers Gaussian GaussianProfile.
From DPchecker Require Import Json Language Meaning Numbers GaussianTails Distances Losses Points Facts Leaves.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Definition noise_delta (variance step d x : Q) : option loss :=
  let* delta := gaussian_delta_above (Qfloor (d / step)) (Qred (variance / (step * step))) x in Some (Qmax0 delta, 0%Q).
Definition noise_profile (variance step : Q) (fs : list fact) (d : Q) (xs : list Q) : option (list loss) :=
  let* _ := guard (has Absolute fs && above_0 variance && above_0 step) in all_of (noise_delta variance step d) xs.

Theorem noise_profile_ok I variance step fs d xs ls : noise_profile variance step fs d xs = Some ls ->
  Forall nonneg_loss ls /\ length xs = length ls /\
  (forall x y : data I, known fs (Q2R d) x y ->
    Forall2 (fun p l => meets MProfile (Q2R p) (measure_rule (GaussianProfile variance step) x) (measure_rule (GaussianProfile variance step) y)
                          (real MProfile l)) xs ls) /\
  (forall x y : data I, known fs 0 x y ->
    same (measure_rule (GaussianProfile variance step) x) (measure_rule (GaussianProfile variance step) y)).
Proof.
  unfold noise_profile, bind_option, guard. destruct (has Absolute fs && above_0 variance && above_0 step)%bool eqn:E; [|discriminate].
  rewrite !andb_true_iff in E. destruct E as [[E V] S]. apply above_0_R in V, S. intros H. apply all_of_ok in H.
  assert (N : Forall2 (fun (_ : Q) l => nonneg_loss l) xs ls).
  { apply Forall2_weaken with (2 := H). intros p l. unfold noise_delta, bind_option. destruct (gaussian_delta_above _ _ _); [|discriminate].
    intros K; injection K as <-. apply nonneg_figure, Qmax0_nonneg. }
  split; [apply Forall2_Forall_r with (2 := N); auto|]. split; [exact (Forall2_lengths H)|].
  split; intros x y K; apply (has_ok E) in K; cbn [measure_rule].
  - apply Forall2_weaken with (2 := Forall2_and H N). clear H N. intros p l [H N].
    destruct (gaussian_noise_ok S V) as (G & P & En). apply (noised_number (D := Q2R d)); [exact N | | exact K]. intros a b J X. rewrite En.
    unfold noise_delta, bind_option in H. destruct (gaussian_delta_above _ _ _) as [q|] eqn:D; [|discriminate]. injection H as <-. cbn [real fst].
    apply ind_weaken with (3 := @gaussian_profile _ _ G P (Q2R d) a b J (Q2R p) X); [apply Rle_refl|].
    assert (F : Int_part (Q2R d / Q2R step) = Qfloor (d / step)).
    { apply floor_unique. rewrite <- Q2R_div by (now apply Qnonzero_R). apply floor_R. }
    rewrite F. eapply Rle_trans; [|apply Qmax0_ge]. apply (@gaussian_delta_above_ok _ _ _ _ _ _ D).
    assert (E2 : Q2R (step * step) = Q2R step * Q2R step) by apply Q2R_mult.
    rewrite Q2R_red, Q2R_div, E2 by (apply Qnonzero_R; rewrite E2; now apply Rmult_lt_0_compat). reflexivity.
  - apply same_of_eq, (@noised_same I Absolute); [exact Logic.I | exact K].
Qed.
