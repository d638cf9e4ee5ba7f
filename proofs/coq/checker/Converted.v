(** * From one measure to another

    [asked] are the points at which a conversion asks its premise, once, for all points asked of itself; [converted] works out
    its losses from those of the premise. A witness stands in the certificate; nothing is searched for. *)
From Coq Require Import ZArith QArith Qreals Reals Lra Psatz List Bool.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Powers Renyi Conversions ZcdpCurve BoundedRange GaussianDP
  GaussianConversions GaussianRenyi ApproxZcdp.
From DPchecker Require Import Json Language Meaning Numbers Exponentials Losses Leaves TwoPoints Rounding Points Mixed Lines Cuts
  NormalCurves.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Definition asked (source target : measure) (witness : list Q) : list Q :=
  match source, target with
  | MRenyi, MApprox | MProfile, MApprox | MProfile, MTradeoff => witness
  | MTradeoff, MProfile => witness ++ [1%Q]
  | _, _ => [0%Q]
  end.

(** ** To a measure without a curve *)

(** eps + log((alpha-1)/alpha) - (log delta + log alpha)/(alpha-1) *)
Definition of_order (eps alpha delta : Q) : option Q :=
  let* _ := guard (above_0 delta) in let* _ := guard (above_0 (alpha - 1)) in
  let* a := log_above ((alpha - 1) / alpha) in let* b := log_above (/ (delta * alpha)) in
  Some (Qmax0 (eps + a + b / (alpha - 1)))%Q.

Definition to_figures (md : mode) (source target : measure) (tight : bool) (parameter : option Q) (witness : list Q) (l : loss) : option loss :=
  match source, target, tight, parameter, witness with
  | MPure, MApprox, _, None, [] => Some (fst l, 0%Q)
  | MPure, MZcdp, _, None, [] => Some (single (fst l * fst l / inject_Z 2))
  | MTotalVariation, MApprox, _, None, [] => Some (0%Q, fst l)
  | MPure, MTotalVariation, _, None, [] => let* u := exp_up (fst l) in Some (mixed md u 0 1, 0%Q)
  | MPure, MGaussian, _, None, [mu] =>
      if Qeq_bool (fst l) 0 then Some zero_loss
      else let* _ := guard (above_0 mu) in let* _ := guard (gaussian_enough mu (fst l)) in Some (single (mu * mu))
  | MApprox, MTotalVariation, _, None, [] => let* u := exp_up (fst l) in Some (mixed md u (snd l) 1, 0%Q)
  | MZcdp, MApprox, true, Some delta, [alpha] => let* e := of_order (fst l * alpha) alpha delta in Some (e, delta)
  | MZcdp, MApprox, false, Some delta, [] =>
      let* _ := guard (above_0 delta) in let* _ := guard (above_0 (1 - delta)) in let* b := log_above (/ delta) in
      Some ((fst l + inject_Z 2 * root_above (fst l * b))%Q, delta)
  | MGaussian, MZcdp, _, None, [] => Some (single (fst l / inject_Z 2))
  | MPure, MApproxZcdp, _, None, [] => Some (single (fst l * fst l / inject_Z 2))
  | MZcdp, MApproxZcdp, _, None, [] => Some (fst l, 0%Q)
  | MApprox, MApproxZcdp, _, None, [] => Some (Qred (fst l * fst l / inject_Z 2), snd l)
  | MApproxZcdp, MApprox, _, Some slack, [alpha] => let* e := of_order (fst l * alpha) alpha slack in Some (e, (snd l + slack)%Q)
  | MRenyi, MApprox, _, Some delta, [alpha] => let* e := of_order (fst l) alpha delta in Some (e, delta)
  | MProfile, MApprox, _, at_most, [epsilon] =>
      let* _ := guard (Qle_bool 0 epsilon) in
      match at_most with None => Some (epsilon, fst l) | Some most => let* _ := guard (Qle_bool (fst l) most) in Some (epsilon, most) end
  | MProfile, MTotalVariation, _, None, [] => Some (fst l, 0%Q)
  | _, _, _, _, _ => None
  end.

(** ** To a curve *)
(** From eps on it is delta, and no exp is asked. *)
Definition profile_of (md : mode) (eps delta : Q) (xs : list Q) : option (list loss) :=
  let up := exp_up eps in
  all_of (fun x =>
    if Qle_bool eps x then Some (Qmin delta 1, 0%Q) else let* u := up in let* v := exp_down x in Some (mixed md u delta v, 0%Q)) xs.
Definition tradeoff_of (md : mode) (eps delta : Q) (xs : list Q) : option (list loss) :=
  let* u := exp_up eps in Some (map (fun x => (advantage x (Qmax0 (lines_at md x (u, delta))), 0%Q)) xs).
(** As with exp, nothing beyond 8000. *)
Definition normal_profile (m : Q) (xs : list Q) : option (list loss) :=
  all_of (fun x => let* _ := guard (if Qeq_bool m 0 then true else Qle_bool x limit) in Some (Qmax0 (normal_delta_above m x), 0%Q)) xs.

(** At each order, exp((alpha-1)(alpha rho - x) + alpha log(1 - 1/alpha))/(alpha-1); the least of them, and of 1. *)
Definition of_order_at (rho x alpha : Q) : option Q :=
  let* _ := guard (above_0 (alpha - 1)) in let* a := log_above ((alpha - 1) / alpha) in
  let e := Qred ((alpha - 1) * (alpha * rho - x) + alpha * a) in
  let* v := if Qle_bool 0 e then exp_above e else let b := exp_below (- e) in let* _ := guard (above_0 b) in Some (/ b)%Q in
  Some (v / (alpha - 1))%Q.
Definition zcdp_profile (rho : Q) (orders xs : list Q) : option (list loss) :=
  all_of (fun x => if Qeq_bool rho 0 then Some zero_loss else
    let* ks := all_of (of_order_at rho x) orders in Some (Qmax0 (fold_right Qmin 1%Q ks), 0%Q)) xs.

Definition to_curve (md : mode) (source target : measure) (witness xs : list Q) (ls : list loss) : option (list loss) :=
  match source, target, witness, ls with
  | MPure, MRenyi, [], [l] => Some (map (fun x => (Qmax0 (Qmin (fst l) (fst l * fst l * (x / inject_Z 2))), 0%Q)) xs)
  | MZcdp, MRenyi, [], [l] => Some (map (fun x => (Qmax0 (fst l * x), 0%Q)) xs)
  | MPure, MProfile, [], [l] => profile_of md (fst l) 0 xs
  | MApprox, MProfile, [], [l] => profile_of md (fst l) (snd l) xs
  | MTotalVariation, MProfile, [], [l] => Some (map (fun _ => (fst l, 0%Q)) xs)
  | MPure, MTradeoff, [], [l] => tradeoff_of md (fst l) 0 xs
  | MApprox, MTradeoff, [], [l] => tradeoff_of md (fst l) (snd l) xs
  | MTotalVariation, MTradeoff, [], [l] => tradeoff_of md 0 (fst l) xs
  | MGaussian, MRenyi, [], [l] => Some (map (fun x => (Qmax0 (Qred (x * fst l / inject_Z 2)), 0%Q)) xs)
  | MGaussian, MProfile, [], [l] => normal_profile (fst l) xs
  | MGaussian, MTradeoff, es, [l] => let* ks := normal_profile (fst l) es in profile_to_tradeoff md es ks xs
  | MProfile, MTradeoff, es, ls => profile_to_tradeoff md es ls xs
  | MTradeoff, MProfile, alphas, ls => tradeoff_to_profile md alphas ls xs
  | MZcdp, MProfile, orders, [l] => zcdp_profile (fst l) orders xs
  | MApproxZcdp, MProfile, orders, [l] =>
      let* ks := zcdp_profile (fst l) orders xs in Some (map (fun k => ((snd l + fst k)%Q, 0%Q)) ks)
  | _, _, _, _ => None
  end.

Definition converted (md : mode) (source target : measure) (tight : bool) (parameter : option Q) (witness xs : list Q) (ls : list loss)
  : option (list loss) :=
  if curved target then match parameter with None => to_curve md source target witness xs ls | Some _ => None end
  else match ls with [l] => let* k := to_figures md source target tight parameter witness l in Some (map (fun _ => k) xs) | _ => None end.

(** As far as a conversion goes whatever the points asked of it are: what it then converts, and from which measure. *)
Definition halfway (source target : measure) (witness : list Q) (ls : list loss) : option (measure * list loss) :=
  match source, target, ls with
  | MGaussian, MTradeoff, [l] => let* ks := normal_profile (fst l) witness in Some (MProfile, ks)
  | _, _, _ => Some (source, ls)
  end.
Lemma halfway_same md source target tight parameter witness xs ls :
  (let* h := halfway source target witness ls in converted md (fst h) target tight parameter witness xs (snd h)) =
  converted md source target tight parameter witness xs ls.
Proof.
  destruct source; try reflexivity; destruct target; try reflexivity; destruct ls as [|l [|? ?]]; try reflexivity.
  unfold halfway, converted. cbn [curved to_curve]. destruct parameter, (normal_profile (fst l) witness); reflexivity.
Qed.

(** ** Soundness *)
Lemma normal_profile_ok A (P Q : dist A) m xs ks : normal_profile m xs = Some ks -> Forall nonneg_loss ks /\ length xs = length ks /\
  (meets MGaussian 0 Q P (Q2R m) -> Forall2 (fun x k => meets MProfile (Q2R x) P Q (Q2R (fst k))) xs ks).
Proof.
  unfold normal_profile, bind_option, guard. intros H. apply all_of_ok in H. split; [|split; [exact (Forall2_lengths H)|]].
  - apply Forall2_Forall_r with (2 := H). intros x k. destruct (if Qeq_bool m 0 then true else Qle_bool x limit); [|discriminate].
    intros E; injection E as <-. apply nonneg_figure, Qmax0_nonneg.
  - intros G. apply Forall2_weaken with (2 := H). intros x k. destruct (if Qeq_bool m 0 then true else Qle_bool x limit); [|discriminate].
    intros E; injection E as <-. intros X. cbn [fst]. apply gaussian_lines in G. destruct G as [_ G].
    apply ind_weaken with (3 := G (Q2R x)); [apply Rle_refl|]. eapply Rle_trans; [apply normal_delta_above_ok | apply Qmax0_ge].
Qed.

Section ZcdpProfile.
Variables (A : Type) (P Q : dist A) (delta : R).
Hypothesis delta_nonneg : 0 <= delta.
(** What zCDP says, and approximate zCDP beyond its delta. *)
Notation at_orders rho := (forall x alpha, 1 < alpha -> ind P Q x (delta + order_delta rho x alpha)).

Lemma of_order_at_ok rho x alpha k : of_order_at rho x alpha = Some k -> at_orders (Q2R rho) -> ind P Q (Q2R x) (delta + Q2R k).
Proof.
  unfold of_order_at, bind_option, guard. destruct (above_0 (alpha - 1)) eqn:E1; [|discriminate]. apply above_0_R in E1 as E2. rewrite Q2R_minus, Q2R_1 in E2.
  destruct (log_above ((alpha - 1) / alpha)) as [a|] eqn:La; [|discriminate]. apply log_above_ok in La. destruct La as [_ La].
  rewrite Q2R_div, Q2R_minus, Q2R_1 in La by (apply Qnonzero_R; lra).
  set (e := Qred ((alpha - 1) * (alpha * rho - x) + alpha * a)).
  assert (V : Q2R e = (Q2R alpha - 1) * (Q2R alpha * Q2R rho - Q2R x) + Q2R alpha * Q2R a)
    by (unfold e; rewrite Q2R_red, Q2R_plus, !Q2R_mult, !Q2R_minus, Q2R_mult, Q2R_1; reflexivity).
  assert (G : forall v, exp (Q2R e) <= Q2R v -> at_orders (Q2R rho) -> ind P Q (Q2R x) (delta + Q2R (v / (alpha - 1)))).
  { intros v Hv Z. assert (Ha : 1 < Q2R alpha) by lra. eapply ind_weaken; [apply Rle_refl | | exact (Z (Q2R x) (Q2R alpha) Ha)].
    apply Rplus_le_compat_l. unfold order_delta. rewrite Q2R_div, Q2R_minus, Q2R_1 by now apply Qnonzero_R, above_0_R.
    apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|]. eapply Rle_trans; [|exact Hv]. apply exp_le. rewrite V.
    apply Rplus_le_compat_l, Rmult_le_compat_l; [lra | exact La]. }
  destruct (Qle_bool 0 e) eqn:S.
  - destruct (exp_above e) as [v|] eqn:X; [|discriminate]. intros H; injection H as <-. now apply G, exp_above_ok.
  - destruct (above_0 (exp_below (- e))) eqn:B; [|discriminate]. intros H; injection H as <-. apply G. apply above_0_R in B.
    rewrite Q2R_inv by now apply Qnonzero_R. pose proof (exp_below_ok (- e)) as X. rewrite Q2R_opp, exp_Ropp in X.
    pose proof (exp_pos (Q2R e)). rewrite <- (Rinv_involutive (exp (Q2R e))) by lra. apply Rinv_le_contravar; assumption.
Qed.

Lemma zcdp_0 x : 0 <= x -> at_orders 0 -> ind P Q x delta.
Proof.
  intros X Z f F. pose proof (expect_test P F). pose proof (expect_test Q F). pose proof (exp_pos x).
  apply Rnot_lt_le. intros L. set (g := P f - (exp x * Q f + delta)) in *. assert (G : 0 < g) by (unfold g; lra).
  assert (Ha : 1 < 2 + 2 / g) by (assert (0 < 2 / g) by (apply Rdiv_lt_0_compat; lra); lra). pose proof (Z x _ Ha f F) as K.
  assert (D : order_delta 0 x (2 + 2 / g) <= g / 2).
  { unfold order_delta. assert (0 < 2 / g) by (apply Rdiv_lt_0_compat; lra). apply Rle_trans with (1 / (2 + 2 / g - 1)).
    - apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|]. rewrite <- exp_0. apply exp_le. rewrite ?exp_0.
      assert (ln ((2 + 2 / g - 1) / (2 + 2 / g)) <= 0).
      { rewrite <- ln_1. apply ln_le; [apply Rdiv_lt_0_compat; lra|]. apply Rmult_le_reg_r with (2 + 2 / g); [lra|].
        unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l; lra. }
      assert (M1 : 0 <= (2 + 2 / g - 1) * x) by (apply Rmult_le_pos; lra).
      assert (M2 : 0 <= (2 + 2 / g) * - ln ((2 + 2 / g - 1) / (2 + 2 / g))) by (apply Rmult_le_pos; lra).
      match goal with |- ?l <= 0 => replace l with (- ((2 + 2 / g - 1) * x) + - ((2 + 2 / g) * - ln ((2 + 2 / g - 1) / (2 + 2 / g)))) by ring end. lra.
    - apply Rmult_le_reg_r with (2 + 2 / g - 1); [lra|]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l by lra.
      replace (g / 2 * (2 + 2 / g - 1)) with (g / 2 + 1) by (field; lra). lra. }
  unfold g in *. lra.
Qed.

Lemma zcdp_profile_ok rho orders xs ks : zcdp_profile rho orders xs = Some ks -> Forall nonneg_loss ks /\ length xs = length ks /\
  (at_orders (Q2R rho) -> Forall2 (fun x k => meets MProfile (Q2R x) P Q (delta + Q2R (fst k))) xs ks).
Proof.
  unfold zcdp_profile. intros H. apply all_of_ok in H. split; [|split; [exact (Forall2_lengths H)|]].
  - apply Forall2_Forall_r with (2 := H). intros x k. destruct (Qeq_bool rho 0); [intros E; injection E as <-; apply nonneg_zero_loss|].
    unfold bind_option. destruct (all_of _ orders); [|discriminate]. intros E; injection E as <-. apply nonneg_figure, Qmax0_nonneg.
  - intros Z. apply Forall2_weaken with (2 := H). intros x k. destruct (Qeq_bool rho 0) eqn:R.
    + intros E; injection E as <-. intros X. apply Qeq_bool_iff, Qeq_eqR in R. rewrite Q2R_0 in R. rewrite R in Z. cbn [zero_loss fst]. rewrite Q2R_0, Rplus_0_r. now apply zcdp_0.
    + unfold bind_option. destruct (all_of (of_order_at rho x) orders) as [ds|] eqn:O; [|discriminate]. intros E; injection E as <-. intros X. cbn [fst].
      apply ind_weaken with (Q2R x) (delta + Q2R (fold_right Qmin 1%Q ds)); [apply Rle_refl | apply Rplus_le_compat_l, Qmax0_ge|]. apply all_of_ok in O. clear -O Z X delta_nonneg.
      induction O as [|alpha d orders ds D _ IH]; cbn [fold_right].
      * intros f F. pose proof (expect_test P F). pose proof (expect_test Q F). pose proof (exp_pos (Q2R x)). rewrite Q2R_1. nra.
      * unfold Qmin. destruct (Qle_bool d _); [exact (@of_order_at_ok rho x alpha d D Z) | exact IH].
Qed.
End ZcdpProfile.

Section Sound.
Variables (A : Type) (P Q : dist A) (md : mode).

Lemma of_order_ok eps alpha delta e : of_order eps alpha delta = Some e ->
  0 < Q2R delta /\ 0 <= Q2R e /\ order_epsilon (Q2R eps) (Q2R delta) (Q2R alpha) <= Q2R e /\ 1 < Q2R alpha.
Proof.
  unfold of_order, bind_option, guard. destruct (above_0 delta) eqn:E1; [|discriminate]. destruct (above_0 (alpha - 1)) eqn:E2; [|discriminate].
  apply above_0_R in E1, E2. rewrite Q2R_minus, Q2R_1 in E2.
  destruct (log_above ((alpha - 1) / alpha)) as [a|] eqn:La; [|discriminate].
  destruct (log_above (/ (delta * alpha))) as [b|] eqn:Lb; [|discriminate]. intros H; injection H as <-.
  apply log_above_ok in La, Lb. destruct La as [_ La], Lb as [_ Lb].
  rewrite Q2R_div, Q2R_minus, Q2R_1 in La by (apply Qnonzero_R; lra).
  rewrite Q2R_inv, Q2R_mult in Lb by (apply Qnonzero_R; rewrite Q2R_mult; nra).
  rewrite ln_Rinv, ln_mult in Lb by nra.
  assert (V : Q2R (eps + a + b / (alpha - 1)) = Q2R eps + Q2R a + Q2R b / (Q2R alpha - 1)).
  { rewrite !Q2R_plus, Q2R_div, Q2R_minus, Q2R_1; [reflexivity | apply Qnonzero_R; rewrite Q2R_minus, Q2R_1; lra]. }
  split; [exact E1|]. split; [apply Qmax0_nonneg|]. split; [|lra]. eapply Rle_trans; [|apply Qmax0_ge]. rewrite V.
  unfold order_epsilon, Rdiv, Rminus in *. set (i := / (Q2R alpha + - (1))) in *. assert (0 < i) by (apply Rinv_0_lt_compat; lra). nra.
Qed.

Lemma to_figures_ok source target tight parameter witness l k : nonneg_loss l -> to_figures md source target tight parameter witness l = Some k ->
  nonneg_loss k /\ forall y x, asked source target witness = [y] ->
    meets source (Q2R y) P Q (real source l) -> meets source (Q2R y) Q P (real source l) -> meets target x P Q (real target k).
Proof.
  intros N. pose proof N as [N1 N2]. unfold to_figures, bind_option, guard. destruct source, target; try discriminate.
  - (* pure to approx *) destruct parameter, witness; try discriminate. intros H; injection H as <-.
    split; [now apply nonneg_figure|]. intros y x _ H _. cbn [meets real fst snd]. unfold approx. cbn [fst snd]. rewrite Q2R_0. exact H.
  - (* pure to zcdp *) destruct parameter, witness; try discriminate. intros H; injection H as <-.
    assert (V : Q2R (fst l * fst l / inject_Z 2) = Q2R (fst l) * Q2R (fst l) / 2) by (rewrite Q2R_div, Q2R_mult, Q2R_Z by (intros W; discriminate); reflexivity).
    split; [apply single_nonneg; rewrite V; apply Rdiv_nonneg; [nra | lra]|].
    intros y x _ H1 H2. cbn [meets real single fst]. rewrite Q2R_red, V.
    exact (pure_to_zcdp (either_private MPure (Q2R y) P Q N H1 H2) 0 true false (Rle_refl 0)).
  - (* pure to total variation *) destruct parameter, witness; try discriminate. destruct (exp_up (fst l)) as [u|] eqn:U; [|discriminate].
    intros H; injection H as <-. apply exp_up_ok in U. assert (V : Q2R 1 <= exp (Q2R 0)) by (rewrite Q2R_0, Q2R_1, exp_0; lra).
    split; [apply nonneg_figure, (mixed_nonneg md _ _ U V); rewrite Q2R_0; lra|]. intros y x _ H1 H2. cbn [meets real fst].
    unfold total_variation. rewrite <- Q2R_0. apply (mixed_ok md U V); rewrite ?Q2R_0; auto; lra.
  - (* pure to gaussian *) destruct parameter, witness as [|mu [|]]; try discriminate. destruct (Qeq_bool (fst l) 0) eqn:Z.
    + intros H; injection H as <-. split; [apply nonneg_zero_loss|]. intros y x _ _ H. apply Qeq_bool_iff, Qeq_eqR in Z.
      cbn [meets real zero_loss fst] in *. rewrite Z, Q2R_0 in *. split; [lra|]. intros f F t T.
      specialize (H f F). rewrite exp_0 in H. rewrite sqrt_0, Rplus_0_r. lra.
    + destruct (above_0 mu) eqn:M; [|discriminate]. destruct (gaussian_enough mu (fst l)) eqn:G; [|discriminate].
      apply above_0_R in M. apply gaussian_enough_ok in G. intros H; injection H as <-.
      assert (V : Q2R (Qred (mu * mu)) = Q2R mu * Q2R mu) by (now rewrite Q2R_red, Q2R_mult).
      split; [apply single_nonneg; rewrite Q2R_mult; nra|]. intros y x _ H1 H2. cbn [meets real single fst]. rewrite V.
      exact (@pure_to_gaussian _ _ _ _ (fun _ => Q2R (fst l)) (fun _ => Q2R mu) (fun _ _ => conj (Rlt_le _ _ M) G)
        (either_private MPure (Q2R y) P Q N H1 H2) 0 true false (Rle_refl 0)).
  - (* pure to approximate zcdp *) destruct parameter, witness; try discriminate. intros H; injection H as <-.
    assert (V : Q2R (fst l * fst l / inject_Z 2) = Q2R (fst l) * Q2R (fst l) / 2) by (rewrite Q2R_div, Q2R_mult, Q2R_Z by (intros W; discriminate); reflexivity).
    split; [apply single_nonneg; rewrite V; apply Rdiv_nonneg; [nra | lra]|].
    intros y x _ H1 H2. cbn [meets real single fst snd]. rewrite Q2R_red, V, Q2R_0. now apply of_zcdp, of_pure.
  - (* approx to total variation *) destruct parameter, witness; try discriminate. destruct (exp_up (fst l)) as [u|] eqn:U; [|discriminate].
    intros H; injection H as <-. apply exp_up_ok in U. assert (V : Q2R 1 <= exp (Q2R 0)) by (rewrite Q2R_0, Q2R_1, exp_0; lra).
    split; [apply nonneg_figure, (mixed_nonneg md _ _ U V N2)|]. intros y x _ H1 H2. cbn [meets real fst].
    unfold total_variation. rewrite <- Q2R_0. apply (mixed_ok md U V); rewrite ?Q2R_0; auto; lra.
  - (* approx to approximate zcdp *) destruct parameter, witness; try discriminate. intros H; injection H as <-.
    assert (V : Q2R (fst l * fst l / inject_Z 2) = Q2R (fst l) * Q2R (fst l) / 2) by (rewrite Q2R_div, Q2R_mult, Q2R_Z by (intros W; discriminate); reflexivity).
    split; [split; cbn [fst snd]; [rewrite Q2R_red, V; apply Rdiv_nonneg; [nra | lra] | exact N2]|].
    intros y x _ H1 H2. cbn [meets real fst snd]. rewrite Q2R_red, V. now apply of_approx.
  - (* zcdp to approx *) destruct tight, parameter as [delta|], witness as [|alpha [|]]; try discriminate.
    + destruct (of_order (fst l * alpha) alpha delta) as [e|] eqn:E; [|discriminate]. intros H; injection H as <-.
      destruct (@of_order_ok _ _ _ _ E) as (D & E0 & K & order). split; [split; cbn [fst snd]; lra|]. intros y x _ H _.
      rewrite Q2R_mult in K. apply ind_weaken with (3 := at_most_to_ind order D (H _ order)); [exact K | apply Rle_refl].
    + destruct (above_0 delta) eqn:E1; [|discriminate]. destruct (above_0 (1 - delta)) eqn:E2; [|discriminate].
      apply above_0_R in E1, E2. rewrite Q2R_minus, Q2R_1 in E2. destruct (log_above (/ delta)) as [b|] eqn:Lb; [|discriminate].
      apply log_above_ok in Lb. destruct Lb as [_ Lb]. rewrite Q2R_inv in Lb by now apply Qnonzero_R. intros H; injection H as <-.
      pose proof (root_above_ok (fst l * b)) as Rt. pose proof (sqrt_pos (Q2R (fst l * b))).
      assert (V : Q2R (fst l + inject_Z 2 * root_above (fst l * b)) = Q2R (fst l) + 2 * Q2R (root_above (fst l * b))) by (now rewrite Q2R_plus, Q2R_mult, Q2R_Z).
      split; [split; cbn [fst snd]; rewrite ?V; lra|]. intros y x _ H1 H2. cbn [meets real]. unfold approx. cbn [fst snd]. rewrite V.
      assert (D : 0 < Q2R delta < 1) by lra.
      pose proof (@zcdp_to_approx _ _ _ _ (fun _ => Q2R (fst l)) (Q2R delta) D (fun _ _ => N1) (either_private MZcdp (Q2R y) P Q N H1 H2) 0 true false (Rle_refl 0)) as T.
      unfold approx in T. cbn [fst snd either] in T. eapply ind_weaken; [| apply Rle_refl | exact T].
      apply Rplus_le_compat_l, Rmult_le_compat_l; [lra|]. eapply Rle_trans; [|exact Rt]. apply sqrt_le_1_alt. rewrite Q2R_mult.
      apply Rmult_le_compat_l; [exact N1|]. unfold Rdiv. now rewrite Rmult_1_l.
  - (* zcdp to approximate zcdp *) destruct parameter, witness; try discriminate. intros H; injection H as <-.
    split; [now apply nonneg_figure|]. intros y x _ H _. cbn [meets real fst snd]. rewrite Q2R_0. now apply of_zcdp.
  - (* total variation to approx *) destruct parameter, witness; try discriminate. intros H; injection H as <-.
    split; [split; simpl; rewrite ?Q2R_0; lra|]. intros y x _ H _. cbn [meets real]. unfold approx. cbn [fst snd]. rewrite Q2R_0. exact H.
  - (* gaussian to zcdp *) destruct parameter, witness; try discriminate. intros H; injection H as <-.
    assert (V : Q2R (fst l / inject_Z 2) = Q2R (fst l) / 2) by (rewrite Q2R_div, Q2R_Z by (intros W; discriminate); reflexivity).
    split; [apply single_nonneg; rewrite V; lra|]. intros y x _ _ H. cbn [meets real single fst] in *. rewrite Q2R_red, V.
    intros alpha order. replace (Q2R (fst l) / 2 * alpha) with (alpha * Q2R (fst l) / 2) by field. exact (gaussian_at_most order H).
  - (* renyi to approx *) destruct parameter as [delta|], witness as [|alpha [|]]; try discriminate.
    destruct (of_order (fst l) alpha delta) as [e|] eqn:E; [|discriminate]. intros H; injection H as <-.
    destruct (@of_order_ok _ _ _ _ E) as (D & E0 & K & order). split; [split; cbn [fst snd]; lra|]. intros y x Y H _. injection Y as <-.
    apply ind_weaken with (3 := at_most_to_ind order D (H order)); [exact K | apply Rle_refl].
  - (* profile to approx *) destruct witness as [|epsilon [|]]; try discriminate. destruct (Qle_bool 0 epsilon) eqn:E; [|destruct parameter; discriminate].
    apply Qle_R in E. rewrite Q2R_0 in E. intros H.
    assert (G : k = (epsilon, snd k) /\ Q2R (fst l) <= Q2R (snd k)).
    { destruct parameter as [most|]; [|injection H as <-; split; [reflexivity | simpl; lra]].
      destruct (Qle_bool (fst l) most) eqn:M; [|discriminate]. injection H as <-. apply Qle_R in M. auto. }
    destruct G as [-> G]. cbn [snd] in G. split; [split; cbn [fst snd]; lra|]. intros y x Y H1 _. injection Y as <-.
    cbn [meets real]. unfold approx. cbn [fst snd]. apply ind_weaken with (3 := H1 E); [apply Rle_refl | exact G].
  - (* profile to total variation *) destruct parameter, witness; try discriminate. intros H; injection H as <-.
    split; [now apply nonneg_figure|]. intros y x Y H1 _. injection Y as <-. cbn [meets real fst] in *. rewrite Q2R_0 in H1. apply H1; lra.
  - (* approximate zcdp to approx *) destruct parameter as [slack|], witness as [|alpha [|]]; try discriminate.
    destruct (of_order (fst l * alpha) alpha slack) as [e|] eqn:E; [|discriminate]. intros H; injection H as <-.
    destruct (@of_order_ok _ _ _ _ E) as (D & E0 & K & order). split; [split; cbn [fst snd]; rewrite ?Q2R_plus; lra|]. intros y x _ H _.
    rewrite Q2R_mult in K. cbn [meets real]. unfold approx. cbn [fst snd]. rewrite Q2R_plus.
    exact (ind_weaken K (Rle_refl _) (smooth_ind order D H)).
Qed.

Lemma profile_of_ok eps delta xs ks : 0 <= Q2R delta -> profile_of md eps delta xs = Some ks -> Forall nonneg_loss ks /\ length xs = length ks /\
  (ind P Q (Q2R eps) (Q2R delta) -> ind Q P (Q2R eps) (Q2R delta) -> Forall2 (fun x k => meets MProfile (Q2R x) P Q (Q2R (fst k))) xs ks).
Proof.
  unfold profile_of, bind_option. intros D H. apply all_of_ok in H. split; [|split; [exact (Forall2_lengths H)|]].
  - apply Forall2_Forall_r with (2 := H). intros x k. destruct (Qle_bool eps x).
    + intros E; injection E as <-. apply nonneg_figure. rewrite Q2R_min, Q2R_1. apply Rmin_glb; lra.
    + destruct (exp_up eps) as [u|] eqn:U; [|discriminate]. destruct (exp_down x) as [v|] eqn:V; [|discriminate]. intros E; injection E as <-.
      apply nonneg_figure, (mixed_nonneg md _ _ (exp_up_ok _ U) (proj2 (exp_down_ok _ V)) D).
  - intros H1 H2. apply Forall2_weaken with (2 := H). intros x k. destruct (Qle_bool eps x) eqn:L.
    + apply Qle_R in L. intros E; injection E as <-. intros X f F. cbn [fst]. rewrite Q2R_min, Q2R_1.
      pose proof (ind_weaken L (Rle_refl _) H1 F). pose proof (expect_test P F). pose proof (expect_test Q F). pose proof (exp_pos (Q2R x)).
      unfold Rmin. destruct (Rle_dec (Q2R delta) 1); nra.
    + destruct (exp_up eps) as [u|] eqn:U; [|discriminate]. destruct (exp_down x) as [v|] eqn:V; [|discriminate]. intros E; injection E as <-.
      intros X. now apply (mixed_ok md (exp_up_ok _ U) (proj2 (exp_down_ok _ V))).
Qed.

Lemma tradeoff_of_ok eps delta xs ks : 0 <= Q2R eps -> tradeoff_of md eps delta xs = Some ks -> Forall nonneg_loss ks /\ length xs = length ks /\
  (ind P Q (Q2R eps) (Q2R delta) -> ind Q P (Q2R eps) (Q2R delta) -> Forall2 (fun x k => meets MTradeoff (Q2R x) P Q (Q2R (fst k))) xs ks).
Proof.
  unfold tradeoff_of, bind_option. intros E0. destruct (exp_up eps) as [u|] eqn:U; [|discriminate]. apply exp_up_ok in U. intros H; injection H as <-.
  split; [apply Forall_map, Forall_forall; intros; apply nonneg_figure, advantage_nonneg|]. split; [now rewrite map_length|]. intros H1 H2.
  apply Forall2_map_r. induction xs as [|x xs IH]; constructor; [|exact IH]. cbn [fst]. apply advantage_ok. intros f F K.
  pose proof (expect_test P F) as [P0 _]. unfold Qmax0. rewrite Q2R_max, Q2R_0.
  assert (G : Q2R (lines_at md x (u, delta)) <= 0 \/ Q2R (lines_at md x (u, delta)) <= 1 - Q f).
  { apply tangent_ok with (P := P); auto. exists (Q2R eps). auto. }
  destruct G as [G|G]; [left; apply Rmax_lub; lra|]. destruct (Rle_dec (1 - Q f) 0); [left | right]; apply Rmax_lub; lra.
Qed.
Notation both source ys ls := (Forall2 (fun y l => meets source (Q2R y) P Q (real source l)) ys ls) (only parsing).
Notation both' source ys ls := (Forall2 (fun y l => meets source (Q2R y) Q P (real source l)) ys ls) (only parsing).

Lemma to_curve_ok source target witness xs ls ks : Forall nonneg_loss ls -> to_curve md source target witness xs ls = Some ks ->
  Forall nonneg_loss ks /\ length xs = length ks /\
  (both source (asked source target witness) ls -> both' source (asked source target witness) ls -> both target xs ks).
Proof.
  intros N. unfold to_curve. destruct source, target; try discriminate.
  7: { (* zcdp to profile *) destruct ls as [|l [|]]; try discriminate. intros H.
    destruct (zcdp_profile_ok P Q (Rle_refl 0) (fst l) witness xs H) as (K1 & K2 & K3). split; [exact K1|]. split; [exact K2|].
    intros H1 _. apply Forall2_one in H1. assert (G : forall x alpha, 1 < alpha -> ind P Q x (0 + order_delta (Q2R (fst l)) x alpha))
      by (intros x alpha Ha; rewrite Rplus_0_l; now apply zcdp_ind).
    revert K3. intros K3. specialize (K3 G). apply Forall2_weaken with (2 := K3). intros x k. now rewrite Rplus_0_l. }
  14: { (* approximate zcdp to profile *) destruct ls as [|l [|]]; try discriminate. unfold bind_option.
    destruct (zcdp_profile (fst l) witness xs) as [js|] eqn:J; [|discriminate]. intros H; injection H as <-. inversion N as [|? ? [N1 N2] _]; subst.
    destruct (zcdp_profile_ok P Q N2 (fst l) witness xs J) as (K1 & K2 & K3). split; [|split; [now rewrite map_length|]].
    - apply Forall_map. apply Forall_impl with (2 := K1). intros k [B _]. apply nonneg_figure. rewrite Q2R_plus. lra.
    - intros H1 _. apply Forall2_one in H1. apply Forall2_map_r. specialize (K3 (fun x alpha Ha => smooth_at x Ha H1)).
      apply Forall2_weaken with (2 := K3). intros x k. cbn [real fst]. now rewrite Q2R_plus. }
  11: { (* gaussian to tradeoff *) destruct ls as [|l [|]]; try discriminate. unfold bind_option.
    destruct (normal_profile (fst l) witness) as [js|] eqn:J; [|discriminate]. intros H.
    destruct (profile_to_tradeoff_ok md P Q witness js xs H) as (K1 & K2 & K3). split; [exact K1|]. split; [exact K2|].
    intros H1 H2. apply Forall2_one in H1, H2.
    apply K3; [apply (normal_profile_ok P Q) with (1 := J); exact H2 | apply (normal_profile_ok Q P) with (1 := J); exact H1]. }
  11: { (* profile to tradeoff *) intros H. exact (profile_to_tradeoff_ok md P Q witness ls xs H). }
  11: { (* tradeoff to profile *) intros H. destruct (tradeoff_to_profile_ok md P Q witness ls xs H) as (K1 & K2 & K3). auto. }
  all: destruct witness; try discriminate; destruct ls as [|l [|]]; try discriminate; inversion N as [|? ? [N1 N2] _]; subst; cbn [asked].
  - (* pure to renyi *) intros H; injection H as <-. split; [apply Forall_map, Forall_forall; intros; apply nonneg_figure, Qmax0_nonneg|].
    split; [now rewrite map_length|]. intros H1 H2. apply Forall2_one in H1, H2. apply Forall2_map_r. clear -N1 N2 H1 H2. induction xs as [|x xs IH]; constructor; [|exact IH].
    intros order. cbn [real fst]. eapply at_most_le; [exact order | apply Qmax0_ge|].
    rewrite Q2R_min, !Q2R_mult, Q2R_div, Q2R_Z by (intros W; discriminate).
    replace (Q2R (fst l) * Q2R (fst l) * (Q2R x / 2)) with (Q2R x * Q2R (fst l) * Q2R (fst l) / 2) by field.
    exact (pure_to_renyi (either_private MPure (Q2R 0) P Q (conj N1 N2) H1 H2) 0 true false (Rle_refl 0) order).
  - (* pure to profile *) intros H. destruct (@profile_of_ok (fst l) 0%Q xs ks ltac:(rewrite Q2R_0; lra) H) as (K1 & K2 & K3).
    split; [exact K1|]. split; [exact K2|]. intros H1 H2. apply Forall2_one in H1, H2. apply K3; rewrite Q2R_0; assumption.
  - (* pure to tradeoff *) intros H. destruct (@tradeoff_of_ok (fst l) 0%Q xs ks N1 H) as (K1 & K2 & K3).
    split; [exact K1|]. split; [exact K2|]. intros H1 H2. apply Forall2_one in H1, H2. apply K3; rewrite Q2R_0; assumption.
  - (* approx to profile *) intros H. destruct (@profile_of_ok (fst l) (snd l) xs ks N2 H) as (K1 & K2 & K3).
    split; [exact K1|]. split; [exact K2|]. intros H1 H2. apply Forall2_one in H1, H2. now apply K3.
  - (* approx to tradeoff *) intros H. destruct (@tradeoff_of_ok (fst l) (snd l) xs ks N1 H) as (K1 & K2 & K3).
    split; [exact K1|]. split; [exact K2|]. intros H1 H2. apply Forall2_one in H1, H2. now apply K3.
  - (* zcdp to renyi *) intros H; injection H as <-. split; [apply Forall_map, Forall_forall; intros; apply nonneg_figure, Qmax0_nonneg|].
    split; [now rewrite map_length|]. intros H1 _. apply Forall2_one in H1. apply Forall2_map_r. clear -H1. induction xs as [|x xs IH]; constructor; [|exact IH].
    intros order. cbn [real fst]. eapply at_most_le; [exact order | apply Qmax0_ge|]. rewrite Q2R_mult. now apply H1.
  - (* total variation to profile *) intros H; injection H as <-. split; [apply Forall_map, Forall_forall; intros; now apply nonneg_figure|].
    split; [now rewrite map_length|]. intros H1 _. apply Forall2_one in H1. apply Forall2_map_r. clear -H1. induction xs as [|x xs IH]; constructor; [|exact IH].
    intros X. cbn [real fst]. apply ind_weaken with (3 := H1); [exact X | apply Rle_refl].
  - (* total variation to tradeoff *) intros H. destruct (@tradeoff_of_ok 0%Q (fst l) xs ks ltac:(rewrite Q2R_0; lra) H) as (K1 & K2 & K3).
    split; [exact K1|]. split; [exact K2|]. intros H1 H2. apply Forall2_one in H1, H2. apply K3; rewrite Q2R_0; assumption.
  - (* gaussian to renyi *) intros H; injection H as <-. split; [apply Forall_map, Forall_forall; intros; apply nonneg_figure, Qmax0_nonneg|].
    split; [now rewrite map_length|]. intros _ H2. apply Forall2_one in H2. apply Forall2_map_r. clear -H2.
    induction xs as [|x xs IH]; constructor; [|exact IH].
    intros order. cbn [real fst]. eapply at_most_le; [exact order | apply Qmax0_ge|].
    rewrite Q2R_red, Q2R_div, Q2R_mult, Q2R_Z by (intros W; discriminate).
    exact (gaussian_at_most order H2).
  - (* gaussian to profile *) intros H. destruct (normal_profile_ok P Q (fst l) xs H) as (K1 & K2 & K3).
    split; [exact K1|]. split; [exact K2|]. intros _ H2. apply Forall2_one in H2. exact (K3 H2).
Qed.

Theorem converted_ok source target tight parameter witness xs ls ks : Forall nonneg_loss ls ->
  converted md source target tight parameter witness xs ls = Some ks -> Forall nonneg_loss ks /\ length xs = length ks /\
  (both source (asked source target witness) ls -> both' source (asked source target witness) ls -> both target xs ks).
Proof.
  intros N. unfold converted. destruct (curved target) eqn:C.
  - destruct parameter; [discriminate|]. intros H. now apply to_curve_ok.
  - destruct ls as [|l [|]]; try discriminate. unfold bind_option. destruct (to_figures _ _ _ _ _ _ _) as [k|] eqn:E; [|discriminate].
    intros H; injection H as <-. inversion N as [|? ? Nl _]; subst. destruct (@to_figures_ok source target tight parameter witness l k Nl E) as [Nk K].
    split; [apply Forall_map, Forall_forall; auto|]. split; [now rewrite map_length|]. intros H1 H2. apply Forall2_map_r.
    pose proof (Forall2_lengths H1) as L. destruct (asked source target witness) as [|y [|]] eqn:Y; try discriminate L.
    apply Forall2_one in H1, H2. clear -K Y H1 H2. induction xs as [|x xs IH]; constructor; [|exact IH]. exact (K y (Q2R x) eq_refl H1 H2).
Qed.
End Sound.
