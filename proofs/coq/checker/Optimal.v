(** * Optimal composition of equal losses: of unequal ones the largest counts for all

    [above k eps x] is a bound from above of the sum of binomial terms, wherever it comes from. *)
From Coq Require Import ZArith QArith Qreals Reals Lra Lia List Psatz.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Norms Combinators OptimalComposition ApproxComposition.
From DPchecker Require Import Json Language Numbers Losses Worst Rounding Points TwoPoints.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Section Optimal.
Variable md : mode.
Variable above : positive -> Q -> Q -> option Q.
Hypothesis above_ok : forall k eps x s, 0 <= Q2R eps -> 0 <= Q2R x -> above k eps x = Some s ->
  sum_f_R0 (term (Q2R eps) (Pos.to_nat k) (Q2R x)) (Pos.to_nat k) <= Q2R s.

(** q^k, from below, of a number from 0 to 1. *)
Fixpoint power_below (q : Q) (k : positive) : Q :=
  match k with
  | xH => q
  | xO k => let h := power_below q k in Qmax0 (short_below md (h * h))
  | xI k => let h := power_below q k in Qmax0 (short_below md (q * (h * h)))
  end.

(** [1 - (1 - delta)^k (1 - s)] *)
Definition optimal_delta (k : positive) (w : loss) (x : Q) : option loss :=
  let* _ := guard (Qle_bool 0 x) in let* s := above k (fst w) x in
  Some (if Qle_bool 1 (snd w) then 1%Q else Qmax0 (minus 1 (Qmax0 (minus 1 s) * power_below (minus 1 (snd w)) k)), 0%Q).
Definition optimal (k : positive) (w : loss) (xs : list Q) : option (list loss) := all_of (optimal_delta k w) xs.

Lemma power_below_ok q k : 0 <= Q2R q -> 0 <= Q2R (power_below q k) <= Q2R q ^ Pos.to_nat k.
Proof.
  intros Hq. assert (B : forall z v, Q2R z <= v -> 0 <= v -> 0 <= Q2R (Qmax0 (short_below md z)) <= v).
  { intros z v Z V. split; [apply Qmax0_nonneg|]. unfold Qmax0. rewrite Q2R_max, Q2R_0. apply Rmax_lub; [exact V|]. pose proof (short_below_ok md z); lra. }
  induction k as [k [I1 I2]|k [I1 I2]|]; cbn [power_below]; cbv zeta; [| |simpl; lra]; set (h := power_below q k) in *;
  assert (S : Q2R h * Q2R h <= Q2R q ^ Pos.to_nat k * Q2R q ^ Pos.to_nat k) by (apply Rmult_le_compat; lra);
  pose proof (pow_le _ (Pos.to_nat k) Hq) as P.
  - rewrite Pos2Nat.inj_xI. cbn [pow]. replace (2 * Pos.to_nat k)%nat with (Pos.to_nat k + Pos.to_nat k)%nat by lia. rewrite pow_add.
    apply B; [rewrite !Q2R_mult; now apply Rmult_le_compat_l | apply Rmult_le_pos; nra].
  - rewrite Pos2Nat.inj_xO. replace (2 * Pos.to_nat k)%nat with (Pos.to_nat k + Pos.to_nat k)%nat by lia. rewrite pow_add.
    apply B; [now rewrite Q2R_mult | nra].
Qed.

Lemma top_same c l : 0 <= c -> l <> [] -> Forall (fun a => a = c) l -> top l = c.
Proof.
  intros C N F. destruct F as [|a l -> F]; [now destruct N|]. clear N. simpl. apply Rmax_left. induction F as [|a l -> _ IH]; simpl; [lra | apply Rmax_lub; lra].
Qed.

(** What is worked out at a point: a delta that is sound, as (epsilon, delta) of the worst. *)
Lemma optimal_delta_ok X A (Ms : list (X -> dist A)) (w : loss) k x y pt j : nonneg_loss w -> Pos.to_nat k = length Ms -> optimal_delta k w pt = Some j ->
  Forall (fun M => approx (M x) (M y) (real MApprox w) /\ approx (M y) (M x) (real MApprox w)) Ms ->
  meets MProfile (Q2R pt) (all Ms x) (all Ms y) (Q2R (fst j)).
Proof.
  intros N K H F X0. unfold optimal_delta, bind_option, guard in H. destruct (Qle_bool 0 pt); [|discriminate].
  destruct (above k (fst w) pt) as [s|] eqn:E; [|discriminate]. injection H as <-. cbn [fst]. pose proof N as [N1 N2].
  pose proof (above_ok N1 X0 E) as S. set (sum := sum_f_R0 _ _) in S.
  assert (One : forall q, 1 <= q -> ind (all Ms x) (all Ms y) (Q2R pt) q).
  { intros q Hq f T. pose proof (expect_test (all Ms x) T). pose proof (expect_test (all Ms y) T). pose proof (exp_pos (Q2R pt)). nra. }
  destruct (Qle_bool 1 (snd w)) eqn:D; [apply One; rewrite Q2R_1; lra|]. apply Qgt_R in D. rewrite Q2R_1 in D.
  set (t := minus 1 (snd w)). assert (T : Q2R t = 1 - Q2R (snd w)) by (unfold t; now rewrite minus_ok, Q2R_1).
  destruct (@power_below_ok t k ltac:(lra)) as [P0 P1]. rewrite T in P1. set (pw := power_below t k) in *.
  destruct (Rle_dec 1 (Q2R s)) as [S1|S1].
  - apply One. eapply Rle_trans; [|apply Qmax0_ge]. rewrite minus_ok, Q2R_mult, Q2R_1. unfold Qmax0. rewrite Q2R_max, minus_ok, Q2R_0, Q2R_1, Rmax_left; lra.
  - apply Rnot_le_lt in S1. assert (Pr : Forall2 (private two_points approx) (map (seen x y) Ms) (map (fun _ (_ : R) => real MApprox w) Ms)).
    { clear -F N. induction F as [|M Ms [H1 H2] _ IH]; simpl; constructor; [|exact IH]. exact (either_private MApprox 0 (M x) (M y) N H1 H2). }
    pose proof (optimal_composition_approx Pr 0 true false (Rle_refl 0) X0) as C. cbv zeta beta in C. rewrite !map_map, !map_length in C.
    assert (Ne : Ms <> []) by (intros ->; simpl in K; lia).
    assert (Top : forall c, 0 <= c -> top (map (fun _ : X -> dist A => c) Ms) = c).
    { intros c Hc. apply top_same; [exact Hc | destruct Ms; [now destruct Ne | discriminate] | apply Forall_map, Forall_forall; auto]. }
    cbn [real fst snd] in C. rewrite !Top in C by assumption. rewrite Rmin_left in C by lra. rewrite <- K in C. fold sum in C.
    rewrite (all_seen x y Ms true), (all_seen x y Ms false) in C. eapply ind_weaken; [apply Rle_refl | | exact C].
    eapply Rle_trans; [|apply Qmax0_ge]. rewrite minus_ok, Q2R_mult, Q2R_1. unfold Qmax0. rewrite Q2R_max, minus_ok, Q2R_0, Q2R_1, Rmax_right by lra.
    assert ((1 - Q2R s) * Q2R pw <= (1 - Q2R (snd w)) ^ Pos.to_nat k * (1 - sum)) by (rewrite Rmult_comm; apply Rmult_le_compat; lra). lra.
Qed.
Lemma optimal_delta_nonneg k w pt j : optimal_delta k w pt = Some j -> nonneg_loss j.
Proof.
  unfold optimal_delta, bind_option, guard. destruct (Qle_bool 0 pt); [|discriminate]. destruct (above k (fst w) pt); [|discriminate].
  intros H; injection H as <-. apply nonneg_figure. destruct (Qle_bool 1 (snd w)); [rewrite Q2R_1; lra | apply Qmax0_nonneg].
Qed.

Definition takes_optimal (m : measure) : bool := match m with MPure | MApprox => true | _ => false end.

(** Losses of premises, as (epsilon, delta), are at most the worst. *)
Lemma as_approx m p A (P Q : dist A) l w : takes_optimal m = true -> at_most l w -> nonneg_loss w -> meets m p P Q (real m l) -> approx P Q (real MApprox w).
Proof.
  intros T [H1 H2] [_ N]. destruct m; try discriminate T; cbn [meets real]; unfold pure, approx; cbn [fst snd]; apply ind_weaken; assumption.
Qed.

Theorem optimal_ok m X A (Ms : list (X -> dist A)) p ls k x y xs js : takes_optimal m = true -> Pos.to_nat k = length Ms -> optimal k (worst ls) xs = Some js ->
  Forall nonneg_loss js /\ length xs = length js /\
  (Forall2 (fun M l => meets m p (M x) (M y) (real m l)) Ms ls -> Forall2 (fun M l => meets m p (M y) (M x) (real m l)) Ms ls ->
    Forall2 (fun q j => meets MProfile (Q2R q) (all Ms x) (all Ms y) (Q2R (fst j))) xs js).
Proof.
  intros T K H. apply all_of_ok in H. split; [|split; [exact (Forall2_lengths H)|]].
  - apply Forall2_Forall_r with (2 := H). intros q j. apply optimal_delta_nonneg.
  - intros H1 H2. apply Forall2_weaken with (2 := H). intros q j E. apply (@optimal_delta_ok X A Ms (worst ls) k x y q j (worst_nonneg ls) K E).
    clear -T H1 H2. assert (B : forall l, In l ls -> at_most l (worst ls)) by (intros; now apply worst_ge).
    pose proof (worst_nonneg ls) as N. set (w := worst ls) in *. clearbody w. induction H1 as [|M l Ms ls K1 _ IH]; inversion H2; subst; constructor.
    + split; apply as_approx with (l := l) (m := m) (p := p); auto; apply B; now left.
    + apply IH; auto. intros; apply B; now right.
Qed.
End Optimal.
