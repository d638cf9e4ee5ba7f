(** * What [cost] says is true *)
From Coq Require Import String List ZArith QArith Qround Qreals Reals Lra Lia Bool Permutation Psatz FunctionalExtensionality.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Norms Totals Graphs Steps RowStability Combinators Partition Parallel
  Powers Renyi Conversions Laplace Gaussian Choice PermuteAndFlip BoundedRange ThresholdRelease PublishedRows AdvancedComposition ApproxComposition.
From DPchecker Require Import Language Meaning Numbers Exponentials Tables Distances Losses Promises Facts Stability Alike Cost Grids Lifting
  AboveThresholdSound AdaptiveSound GeneralSound.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Section Sound.
Variable I : interpretation.
Notation data := (data I).

(** ** Transformations: a tree of them *)
Definition at_all (f : list dmap) (d : R) : R := fold_left (fun d f => at_r f d) f d.

Lemma run_nothing n : run n (NoData : data) = NoData.
Proof.
  induction n as [r ps IH] using node_ind'. destruct r; try reflexivity.
  induction IH as [|p ps Hp _ IHps]; [reflexivity|]. simpl in *. now rewrite Hp.
Qed.

Definition good_map (f : list dmap) : Prop := Forall nonneg_map f.

Fixpoint reach_all (fs : list dmap) (d : R) : Prop := match fs with [] => True | f :: fs => reaches f d /\ reach_all fs (at_r f d) end.

Lemma at_r_nonneg f d : nonneg_map f -> 0 <= d -> reaches f d -> 0 <= at_r f d.
Proof. intros N Hd V. rewrite <- (at_r_0 f). apply at_r_le; [exact N | lra | exact V]. Qed.

Lemma at_all_nonneg f d : good_map f -> 0 <= d -> reach_all f d -> 0 <= at_all f d.
Proof.
  intros G; revert d; induction G as [|f fs N _ IH]; intros d Hd V; simpl; [exact Hd|]. destruct V as [V W].
  apply IH; [now apply at_r_nonneg | exact W].
Qed.
Lemma at_all_0 f : at_all f 0 = 0.
Proof. induction f as [|f fs IH]; simpl; [reflexivity | now rewrite at_r_0]. Qed.
Lemma reach_all_0 f : reach_all f 0.
Proof. induction f as [|f fs IH]; simpl; [exact Logic.I|]. rewrite at_r_0. split; [apply reaches_0 | exact IH]. Qed.
Lemma at_all_le f a b : good_map f -> 0 <= a <= b -> reach_all f b -> reach_all f a /\ at_all f a <= at_all f b.
Proof.
  intros G; revert a b; induction G as [|f fs N _ IH]; intros a b H V; simpl; [split; [exact Logic.I | lra]|]. destruct V as [V W].
  assert (Va : reaches f a) by (apply reaches_le with b; [lra | exact V]).
  assert (C : 0 <= at_r f a <= at_r f b) by (split; [apply at_r_nonneg; auto; lra | now apply at_r_le]).
  destruct (IH _ _ C W). auto.
Qed.
Lemma at_all_ok f d e : good_map f -> 0 <= Q2R d -> through f d = Some e -> reach_all f (Q2R d) /\ at_all f (Q2R d) <= Q2R e.
Proof.
  intros G; revert d; induction G as [|f fs N G IH]; intros d Hd H; simpl in H.
  - apply some_inj in H. subst e. split; [exact Logic.I | apply Rle_refl].
  - destruct (at_q f d) as [u|] eqn:E; [|discriminate]. destruct (at_q_ok N E) as [V L]. pose proof (at_r_nonneg N Hd V) as Z.
    destruct (IH u ltac:(lra) H) as [W M]. destruct (@at_all_le fs (at_r f (Q2R d)) (Q2R u) G (conj Z L) W) as [W' M'].
    split; [split; assumption|]. simpl. lra.
Qed.

Lemma reach_all_app f g d : reach_all (f ++ g) d -> reach_all f d /\ reach_all g (at_all f d).
Proof. revert d; induction f as [|h f IH]; intros d; simpl; [auto|]. intros [V W]. apply IH in W. tauto. Qed.

Definition followed (n : node) : Prop := promises I n -> forall fs gs f, far n fs = Some (gs, f) -> good_map f /\
  forall d x y, 0 <= d -> reach_all f d -> known fs d x y -> known_or_nothing gs (at_all f d) (run n x : data) (run n y).

Lemma far_rule_followed r ps fs gs f : r <> Chain -> promise_of I r ps ->
  match ps with [] => match far_rule r fs with Some (gs, f) => Some (gs, [f]) | None => None end | _ => None end = Some (gs, f) ->
  good_map f /\ forall d x y, 0 <= d -> reach_all f d -> known fs d x y ->
    known_or_nothing gs (at_all f d) (run (Tree r ps) x : data) (run (Tree r ps) y).
Proof.
  intros N Kept H. destruct ps; [|discriminate]. destruct (far_rule r fs) as [[g h]|] eqn:E; [|discriminate]. injection H as <- <-.
  pose proof (@far_rule_ok I r fs g h Kept E) as [G E2]; clear E; rename E2 into E. split; [now constructor|]. intros d x y Hd [V _] K. specialize (E d x y Hd V K).
  destruct r; try exact E. contradiction.
Qed.

Theorem far_ok n : followed n.
Proof.
  induction n as [r ps IH] using node_ind'. intros Kept fs gs f H. destruct (promises_all Kept) as [Own Kept_below]. clear Kept.
  destruct r; try (apply far_rule_followed; [discriminate | exact Own | exact H]). clear Own.
  revert fs gs f H. induction IH as [|p ps Hp _ IHps]; inversion Kept_below as [|u v Kp Kps]; subst; intros fs gs f H.
  - injection H as <- <-. split; [constructor|]. intros d x y Hd _ K. now left.
  - cbn [far] in H. destruct (far p fs) as [[hs g]|] eqn:E; [|discriminate].
    change (match far (Tree Chain ps) hs with Some (gs, h) => Some (gs, g ++ h) | None => None end = Some (gs, f)) in H.
    destruct (far (Tree Chain ps) hs) as [[ks h]|] eqn:F; [|discriminate]. injection H as <- <-.
    destruct (Hp Kp fs hs g E) as [G1 S1]. destruct (IHps Kps hs ks h F) as [G2 S2].
    split; [apply Forall_app; auto|]. intros d x y Hd V K. apply reach_all_app in V. destruct V as [V1 V2].
    change (run (Tree Chain (p :: ps)) x) with (run (Tree Chain ps) (run p x)).
    change (run (Tree Chain (p :: ps)) y) with (run (Tree Chain ps) (run p y)).
    unfold at_all. rewrite fold_left_app. fold (at_all g d). fold (at_all h (at_all g d)).
    destruct (S1 d x y Hd V1 K) as [K1|[N1 N2]].
    + apply S2; [now apply at_all_nonneg | exact V2 | exact K1].
    + rewrite N1, N2, !run_nothing. right; split; reflexivity.
Qed.

(** ** Measurements *)
Definition close (m : measure) (n : node) (x y : data) (l : loss) : Prop := meets m (denote n x) (denote n y) (real m l).

Definition sound (n : node) : Prop := forall md fs d m l, 0 <= Q2R d -> cost md n fs d = Some (m, l) ->
  nonneg_loss l /\ (forall x y, known fs (Q2R d) x y -> close m n x y l) /\
  (forall x y, known fs 0 x y -> same (denote n x : dist (released (users I))) (denote n y)).

Lemma close_refl m n x l : nonneg_loss l -> close m n x x l.
Proof. intros N. unfold close. apply (div_le (ms := meets m)) with zero; [now apply real_nonneg | apply (div_same (ms := meets m)), same_refl]. Qed.

Lemma close_post m A B (P Q : dist A) (K : A -> dist B) l : meets m P Q (real m l) -> meets m (bind P K) (bind Q K) (real m l).
Proof. apply (div_post (ms := meets m)). Qed.

Lemma noised_same m h noise (x y : data) : match m with Absolute | L1 | L2 | LInf | Range => True | _ => False end ->
  apart m 0 x y -> noised h noise x = noised h noise y.
Proof.
  intros M H. destruct m; try tauto; destruct x, y; cbn [apart] in H; try tauto; pose proof H as [<- H']; cbn [noised];
  destruct (times g h) as [k|] eqn:T; auto; apply times_ok in T; destruct T as (G & _).
  1: now rewrite (absolute_0 G H').
  all: match type of H with apart ?m _ _ _ => idtac | _ => idtac end.
  - now rewrite (@vectors_0 I L1 g v v0 G Logic.I H).
  - now rewrite (@vectors_0 I L2 g v v0 G Logic.I H).
  - now rewrite (@vectors_0 I LInf g v v0 G Logic.I H).
  - now rewrite (@vectors_0 I Range g v v0 G Logic.I H).
Qed.

Lemma nothing_close m l : nonneg_loss l -> meets m (ret (@Nothing (users I))) (ret Nothing) (real m l).
Proof. intros N. apply (div_le (ms := meets m)) with zero; [now apply real_nonneg | apply (div_same (ms := meets m)), same_refl]. Qed.

Lemma single_real m q : m <> MApprox -> nonneg_loss (single q) <-> 0 <= Q2R q.
Proof. intros _. unfold nonneg_loss, single; simpl. rewrite Q2R_red, Q2R_0. split; [tauto | lra]. Qed.

Lemma above_0_R q : above_0 q = true -> 0 < Q2R q.
Proof. intros H; apply Qlt_bool_R in H. now rewrite Q2R_0 in H. Qed.

Lemma noised_number m h noise D l x y : nonneg_loss l ->
  (forall a b, absolute (Q2R h) D a b -> meets m (noise a) (noise b) (real m l)) ->
  apart Absolute D x y -> meets m (noised h noise x : dist (released (users I))) (noised h noise y) (real m l).
Proof.
  intros N H K. destruct x, y; cbn [apart] in K; try tauto; destruct K as [<- K]. cbn [noised].
  destruct (times g h) as [k|] eqn:T; [|now apply nothing_close]. apply (div_post (ms := meets m)), H, (absolute_times T K).
Qed.
Lemma noised_vector m h noise D l x y : nonneg_loss l ->
  (forall a b, l1 (Q2R h) D a b -> meets m (noisy noise a) (noisy noise b) (real m l)) ->
  apart L1 D x y -> meets m (noised h noise x : dist (released (users I))) (noised h noise y) (real m l).
Proof.
  intros N H K. destruct x, y; cbn [apart] in K; try tauto; destruct K as [<- K]. cbn [noised].
  destruct (times g h) as [k|] eqn:T; [|now apply nothing_close]. apply (div_post (ms := meets m)), H, (vectors_times T K).
Qed.
Lemma noised_vector2 m h noise D l x y : nonneg_loss l ->
  (forall a b, l2 (Q2R h) D a b -> meets m (noisy noise a) (noisy noise b) (real m l)) ->
  apart L2 D x y -> meets m (noised h noise x : dist (released (users I))) (noised h noise y) (real m l).
Proof.
  intros N H K. destruct x, y; cbn [apart] in K; try tauto; destruct K as [<- K]. cbn [noised].
  destruct (times g h) as [k|] eqn:T; [|now apply nothing_close]. apply (div_post (ms := meets m)), H, (vectors_times T K).
Qed.

Lemma same_of_eq A (P Q : dist A) : P = Q -> same P Q. Proof. intros ->; apply same_refl. Qed.

Lemma laplace_noise_ok h scale : 0 < Q2R h -> 0 < Q2R scale -> exists G P,
  laplace_noise (Q2R h) (Q2R scale) = discrete_laplace (@scale_in_steps (Q2R h) (Q2R scale) G P).
Proof. intros G P. unfold laplace_noise. destruct (Rlt_dec 0 (Q2R h)); [|lra]. destruct (Rlt_dec 0 (Q2R scale)); [eauto | lra]. Qed.
Lemma gaussian_noise_ok h v : 0 < Q2R h -> 0 < Q2R v -> exists G P,
  gaussian_noise (Q2R h) (Q2R v) = discrete_gaussian (@variance_in_steps (Q2R h) (Q2R v) G P).
Proof. intros G P. unfold gaussian_noise. destruct (Rlt_dec 0 (Q2R h)); [|lra]. destruct (Rlt_dec 0 (Q2R v)); [eauto | lra]. Qed.

Lemma quotient_nonneg a b : 0 <= a -> 0 < b -> 0 <= a / b.
Proof. intros; apply Rmult_le_pos; [assumption | left; now apply Rinv_0_lt_compat]. Qed.

Lemma single_nonneg q : 0 <= Q2R q -> nonneg_loss (single q).
Proof. intros H. unfold nonneg_loss, single; simpl. rewrite Q2R_red, Q2R_0. split; [exact H | lra]. Qed.

(** A choice among candidates. *)
Lemma chosen_close m way mm D l x y : nonneg_loss l -> match mm with LInf | Range => True | _ => False end ->
  (forall n g a b, length a = n -> apart mm D (Vector g a : data) (Vector g b) -> meets m (way n (Q2R g) a) (way n (Q2R g) b) (real m l)) ->
  apart mm D x y -> meets m (chosen way x : dist (released (users I))) (chosen way y) (real m l).
Proof.
  intros N M H K. assert (L : exists g a b, x = Vector g a /\ y = Vector g b /\ length a = length b).
  { destruct mm; try tauto; destruct x, y; cbn [apart] in K; try tauto; destruct K as [<- [L _]]; eauto 6. }
  destruct L as (g & a & b & -> & -> & L). cbn [chosen]. destruct (Qlt_bool 0 g); [|now apply nothing_close].
  rewrite <- L. apply (div_post (ms := meets m)). now apply H.
Qed.
Lemma chosen_same way mm x y : match mm with LInf | Range => True | _ => False end -> apart mm 0 x y ->
  same (chosen way x : dist (released (users I))) (chosen way y).
Proof.
  intros M K. destruct mm; try tauto; destruct x, y; cbn [apart] in K; try tauto; pose proof K as [<- _]; cbn [chosen];
  (destruct (Qlt_bool 0 g) eqn:G; [|apply same_refl]); apply Qlt_bool_R in G; rewrite Q2R_0 in G.
  - rewrite (@vectors_0 I LInf g v v0 G Logic.I K). apply same_refl.
  - rewrite (@vectors_0 I Range g v v0 G Logic.I K). apply same_refl.
Qed.

(** Nothing lost either way: the same distribution. *)
Lemma same_of_ind A (P Q : dist A) : ind P Q 0 0 -> ind Q P 0 0 -> same P Q.
Proof.
  intros H K f [B HB]. set (c := Rmax 1 B). assert (Hc : 1 <= c) by apply Rmax_l. assert (HcB : B <= c) by apply Rmax_r.
  assert (Bf : bounded f) by (now exists B).
  assert (T : test (fun a => / (2 * c) * f a + / 2)).
  { intros a. specialize (HB a). apply Rabs_le_between in HB. assert (0 < / (2 * c)) by (apply Rinv_0_lt_compat; lra).
    assert (/ (2 * c) * c = / 2) by (field; lra). nra. }
  specialize (H _ T). specialize (K _ T). rewrite exp_0 in H, K.
  rewrite !expect_plus, !expect_scale, !expect_const in H, K by auto with bounded.
  assert (0 < / (2 * c)) by (apply Rinv_0_lt_compat; lra).
  apply Rmult_eq_reg_l with (/ (2 * c)); [|lra]. apply Rle_antisym; lra.
Qed.

Lemma is_sized_ok n fs d D E (a b : list (row I)) : existsb (is_sized_of n) fs = true -> known fs d (Rows D a : data) (Rows E b) ->
  length a = Pos.to_nat n /\ length b = Pos.to_nat n.
Proof.
  intros H K. apply existsb_exists in H. destruct H as (f & J & E'). destruct f; try discriminate. apply Pos.eqb_eq in E'. subst.
  unfold known in K. rewrite Forall_forall in K. exact (K _ J).
Qed.

Lemma tail_above_ok scale t h : 0 < Q2R scale -> tail_above scale t = Some h -> 0 <= Q2R h /\ hidden (Q2R scale) t <= Q2R h.
Proof.
  unfold tail_above, hidden. intros S. set (w := exp_below _). pose proof (exp_below_ok (Qred (inject_Z (t - 1) / scale))) as W. fold w in W.
  destruct (above_0 w) eqn:E1; [|discriminate]. apply above_0_R in E1. pose proof (Qnonzero_R scale S) as N.
  rewrite Q2R_red, Q2R_div, Q2R_Z in W by exact N. pose proof (Rinv_0_lt_compat _ E1).
  assert (A : exp (- (IZR (t - 1) / Q2R scale)) <= / Q2R w) by (rewrite exp_Ropp; apply Rinv_le_contravar; [exact E1 | exact W]).
  pose proof (exp_pos (- / Q2R scale)) as P.
  assert (A' : exp (- (IZR (t - 1) / Q2R scale)) / (1 + exp (- / Q2R scale)) <= / Q2R w / (1 + exp (- / Q2R scale))).
  { apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra | exact A]. }
  destruct (exp_above _) as [u|] eqn:U.
  - apply exp_above_ok in U. destruct (above_0 u) eqn:E2; [|discriminate]. intros H'; injection H' as <-. apply above_0_R in E2.
    rewrite Q2R_red, Q2R_div, Q2R_1 in U by exact N.
    assert (V : Q2R (/ w / (1 + / u)) = / Q2R w / (1 + / Q2R u)).
    { rewrite Q2R_div, Q2R_inv, Q2R_plus, Q2R_inv, Q2R_1; try reflexivity; try (now apply Qnonzero_R).
      apply Qnonzero_R. rewrite Q2R_plus, Q2R_inv, Q2R_1 by now apply Qnonzero_R. pose proof (Rinv_0_lt_compat _ E2); lra. }
    rewrite V. pose proof (Rinv_0_lt_compat _ E2). split; [apply quotient_nonneg; lra|].
    assert (B : / Q2R u <= exp (- / Q2R scale)).
    { rewrite exp_Ropp. apply Rinv_le_contravar; [apply exp_pos|]. unfold Rdiv in U. now rewrite Rmult_1_l in U. }
    eapply Rle_trans; [exact A'|]. apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; lra.
  - intros H'; injection H' as <-. rewrite Q2R_inv by now apply Qnonzero_R. split; [lra|].
    eapply Rle_trans; [exact A'|]. apply Rmult_le_reg_r with (1 + exp (- / Q2R scale)); [lra|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra.
Qed.

Lemma lower_loss_either k l : lower_loss k l = k \/ lower_loss k l = l.
Proof. unfold lower_loss. destruct (Qlt_bool (fst k) (fst l)), (Qlt_bool (fst l) (fst k)), (Qle_bool (snd k) (snd l)); auto. Qed.

Lemma cost_rule_ok r fs d m l : promise_of I r [] -> 0 <= Q2R d -> cost_rule r fs d = Some (m, l) -> nonneg_loss l /\
  (forall x y : data, known fs (Q2R d) x y -> meets m (measure_rule r x) (measure_rule r y) (real m l)) /\
  (forall x y : data, known fs 0 x y -> same (measure_rule r x) (measure_rule r y)).
Proof.
  intros Kept Hd. destruct r; try discriminate; cbn [cost_rule].
  - (* Laplace *)
    destruct (has Absolute fs || has L1 fs)%bool eqn:E; [|discriminate].
    destruct (above_0 scale) eqn:E1; [|discriminate]. destruct (above_0 step) eqn:E2; [|discriminate].
    intros H; injection H as <- <-. apply above_0_R in E1, E2.
    assert (E3 : Q2R (Qred (d / scale)) = Q2R d / Q2R scale) by (rewrite Q2R_red; apply Q2R_div; now apply Qnonzero_R).
    assert (N : nonneg_loss (single (d / scale))) by (apply single_nonneg; rewrite <- Q2R_red, E3; now apply quotient_nonneg).
    destruct (laplace_noise_ok E2 E1) as (G & P & En). destruct (laplace G P) as [LA LV]. rewrite <- En in LA, LV.
    split; [exact N|]. apply orb_prop in E. cbn [measure_rule]. split; intros x y K; (destruct E as [E|E]; apply (has_ok E) in K).
    + apply (noised_number (D := Q2R d)); [exact N | | exact K]. intros a b J. apply LA in J. cbn [meets real single fst]. now rewrite E3.
    + apply (noised_vector (D := Q2R d)); [exact N | | exact K]. intros a b J. apply LV in J. cbn [meets real single fst]. now rewrite E3.
    + apply same_of_eq, (@noised_same Absolute); [exact Logic.I | exact K].
    + apply same_of_eq, (@noised_same L1); [exact Logic.I | exact K].
  - (* Gaussian *)
    destruct vector; intros H; match type of H with (if ?c && _ && _ then _ else _) = _ => destruct c eqn:E; [|discriminate] end;
    (destruct (above_0 sigma_squared) eqn:E1; [|discriminate]); (destruct (above_0 step) eqn:E2; [|discriminate]);
    injection H as <- <-; apply above_0_R in E1, E2;
    (assert (E0 : Q2R (inject_Z 2 * sigma_squared) = 2 * Q2R sigma_squared) by (now rewrite Q2R_mult, Q2R_Z));
    destruct (gaussian_noise_ok E2 E1) as (G & P & En).
    + pose proof (gaussian_vector G P) as LV; rewrite <- En in LV.
      assert (E3 : Q2R (Qred (d / (inject_Z 2 * sigma_squared))) = Q2R d / (2 * Q2R sigma_squared)).
      { rewrite Q2R_red, Q2R_div, E0; [reflexivity | apply Qnonzero_R; lra]. }
      assert (N : nonneg_loss (single (d / (inject_Z 2 * sigma_squared)))) by (apply single_nonneg; rewrite <- Q2R_red, E3; apply quotient_nonneg; lra).
      split; [exact N|]. cbn [measure_rule]. split; intros x y K; apply (has_ok E) in K.
      * apply (noised_vector2 (D := Q2R d)); [exact N | | exact K]. intros a b J. apply LV in J. cbn [meets real single fst]. now rewrite E3.
      * apply same_of_eq, (@noised_same L2); [exact Logic.I | exact K].
    + pose proof (gaussian G P) as LA; rewrite <- En in LA.
      assert (E3 : Q2R (Qred (d * d / (inject_Z 2 * sigma_squared))) = Q2R d * Q2R d / (2 * Q2R sigma_squared)).
      { rewrite Q2R_red, Q2R_div, E0, Q2R_mult; [reflexivity | apply Qnonzero_R; lra]. }
      assert (N : nonneg_loss (single (d * d / (inject_Z 2 * sigma_squared)))) by (apply single_nonneg; rewrite <- Q2R_red, E3; apply quotient_nonneg; nra).
      split; [exact N|]. cbn [measure_rule]. split; intros x y K; apply (has_ok E) in K.
      * apply (noised_number (D := Q2R d)); [exact N | | exact K]. intros a b J. apply LA in J. cbn [meets real single fst]. now rewrite E3.
      * apply same_of_eq, (@noised_same Absolute); [exact Logic.I | exact K].
  - (* RandomizedResponse *)
    destruct (has Discrete fs) eqn:E; [|discriminate]. destruct (distinct answers) eqn:E1; [|discriminate].
    destruct (Pos.eqb (Pos.of_nat (length answers)) k) eqn:E2; [|discriminate]. destruct (Nat.leb 2 (length answers)) eqn:E3; [|discriminate].
    destruct (Qle_bool 1 (p * (Zpos k # 1))) eqn:E4; [|discriminate]. destruct (Qlt_bool p 1) eqn:E5; [|discriminate]. cbn [andb].
    destruct (log_above _) as [lg|] eqn:L; [|discriminate]. intros H; injection H as <- <-.
    apply distinct_ok in E1. apply Nat.leb_le in E3. apply Pos.eqb_eq in E2.
    assert (E2' : length answers = Pos.to_nat k) by (rewrite <- E2, Nat2Pos.id; lia). clear E2; rename E2' into E2. apply Qle_R in E4. apply Qlt_bool_R in E5.
    rewrite Q2R_mult, Q2R_1, Q2R_pos in E4. rewrite Q2R_1 in E5. apply log_above_ok in L. destruct L as [_ L].
    assert (K : INR (length answers) = IZR (Zpos k)) by (rewrite E2, INR_IZR_INZ, positive_nat_Z; reflexivity).
    assert (K2 : 2 <= INR (length answers)) by (apply (le_INR 2) in E3; exact E3).
    rewrite Q2R_div, Q2R_mult, !Q2R_minus, Q2R_1, Q2R_pos, <- K in L by (apply Qnonzero_R; rewrite Q2R_minus, Q2R_1; lra).
    rewrite <- K in E4.
    assert (T : / INR (length answers) <= Q2R p).
    { apply Rmult_le_reg_r with (INR (length answers)); [lra|]. rewrite Rinv_l; lra. }
    assert (Rn : exists A B C, response answers (Q2R p) = @respond constant constant_dec answers (Q2R p) A (conj B C)).
    { unfold response. destruct (le_dec 2 _); [|lia]. destruct (Rle_dec _ _); [|contradiction]. destruct (Rlt_dec _ _); [eauto | lra]. }
    destruct Rn as (A & B & C & Rn).
    set (q := (if Qle_bool d 1 then d else 1)%Q) in *.
    assert (Hq : 0 <= Q2R q /\ forall a b : constant, discrete (Q2R d) a b -> discrete (Q2R q) a b).
    { unfold q. destruct (Qle_bool d 1) eqn:F; [auto|]. apply Qgt_R in F. rewrite Q2R_1 in *. split; [lra|].
      intros a b [_ [->|_]]; (split; [lra|]); [left; reflexivity | right; lra]. }
    destruct Hq as [Hq Hd'].
    assert (V : Q2R (q * Qmax0 lg) = Q2R q * Rmax 0 (Q2R lg)) by (unfold Qmax0; now rewrite Q2R_mult, Q2R_max, Q2R_0).
    assert (N : nonneg_loss (single (q * Qmax0 lg))) by (apply single_nonneg; rewrite V; apply Rmult_le_pos; [exact Hq | apply Rmax_l]).
    assert (In_ : forall c, In (among answers c) answers).
    { intros c. unfold among. destruct (existsb (constant_eqb c) answers) eqn:F.
      - apply existsb_exists in F. destruct F as (b & J & F). apply constant_eqb_eq in F. now subst.
      - destruct answers; [simpl in E3; lia | now left]. }
    split; [exact N|]. cbn [measure_rule]. split; intros x y Kn; apply (has_ok E) in Kn; destruct x, y; cbn [apart] in Kn; try tauto; rewrite Rn.
    + apply (div_post (ms := meets MPure)). apply Hd' in Kn.
      assert (D' : on (fun x => In x answers) discrete (Q2R q) (among answers c) (among answers c0)).
      { split; [apply In_|]. split; [apply In_|]. destruct Kn as [K0 [->|K1]]; split; auto. }
      pose proof (@randomized_response_linear constant constant_dec answers (Q2R p) E1 A (conj B C) _ _ _ D') as P. cbn [meets real single fst]. rewrite Q2R_red, V.
      apply (div_le (ms := pure)) with (2 := P). simpl. apply Rmult_le_compat_l; [exact Hq|]. eapply Rle_trans; [exact L | apply Rmax_r].
    + destruct Kn as [_ [->|Kn]]; [apply same_refl | lra].
  - (* PermuteAndFlip *)
    destruct m0; try discriminate; intros H; match type of H with (if ?c && _ then _ else _) = _ => destruct c eqn:E; [|discriminate] end;
    (destruct (above_0 scale) eqn:E1; [|discriminate]); injection H as <- <-; apply above_0_R in E1; apply Qnonzero_R in E1 as E2.
    + assert (V : Q2R (Qred (inject_Z 2 * d / scale)) = 2 * Q2R d / Q2R scale) by (now rewrite Q2R_red, Q2R_div, Q2R_mult, Q2R_Z).
      assert (N : nonneg_loss (single (inject_Z 2 * d / scale))) by (apply single_nonneg; rewrite <- Q2R_red, V; apply quotient_nonneg; lra).
      split; [exact N|]. cbn [measure_rule]. split; intros x y K; apply (has_ok E) in K.
      * apply (@chosen_close MPure _ LInf (Q2R d)); [exact N | exact Logic.I | | exact K]. intros n g a b L J. cbn [meets real single fst]. rewrite V.
        unfold flipped. destruct (Rlt_dec 0 (Q2R scale)); [|lra]. destruct (lt_dec 0 n); [|apply (div_le (ms := pure)) with zero; [apply quotient_nonneg; lra | apply (div_same (ms := pure)), same_refl]].
        destruct J as [_ J]. exact (permute_and_flip_linf _ _ J).
      * apply (@chosen_same _ LInf); [exact Logic.I | exact K].
    + assert (V : Q2R (Qred (d / scale)) = Q2R d / Q2R scale) by (now rewrite Q2R_red, Q2R_div).
      assert (N : nonneg_loss (single (d / scale))) by (apply single_nonneg; rewrite <- Q2R_red, V; apply quotient_nonneg; lra).
      split; [exact N|]. cbn [measure_rule]. split; intros x y K; apply (has_ok E) in K.
      * apply (@chosen_close MPure _ Range (Q2R d)); [exact N | exact Logic.I | | exact K]. intros n g a b L J. cbn [meets real single fst]. rewrite V.
        unfold flipped. destruct (Rlt_dec 0 (Q2R scale)); [|lra]. destruct (lt_dec 0 n); [|apply (div_le (ms := pure)) with zero; [apply quotient_nonneg; lra | apply (div_same (ms := pure)), same_refl]].
        destruct J as [_ J]. exact (permute_and_flip_range _ _ J).
      * apply (@chosen_same _ Range); [exact Logic.I | exact K].
  - (* Exponential *)
    destruct m0; try discriminate; intros H; match type of H with (if ?c && _ then _ else _) = _ => destruct c eqn:E; [|discriminate] end;
    (destruct (above_0 scale) eqn:E1; [|discriminate]); injection H as <- <-; apply above_0_R in E1; apply Qnonzero_R in E1 as E2.
    + assert (V : Q2R (Qred (inject_Z 2 * d / scale * (inject_Z 2 * d / scale) / inject_Z 8)) = 2 * Q2R d / Q2R scale * (2 * Q2R d / Q2R scale) / 8)
        by (rewrite Q2R_red, Q2R_div, !Q2R_mult, !Q2R_div, !Q2R_mult, !Q2R_Z by (exact E2 || (intros W; discriminate)); reflexivity).
      assert (N : nonneg_loss (single (inject_Z 2 * d / scale * (inject_Z 2 * d / scale) / inject_Z 8))).
      { apply single_nonneg; rewrite <- Q2R_red, V. apply quotient_nonneg; [|lra]. nra. }
      split; [exact N|]. cbn [measure_rule]. split; intros x y K; apply (has_ok E) in K.
      * apply (@chosen_close MZcdp _ LInf (Q2R d)); [exact N | exact Logic.I | | exact K]. intros n g a b L J. cbn [meets real single fst]. rewrite V.
        unfold drawn. destruct (lt_dec 0 n); [|apply (div_le (ms := zcdp)) with zero; [apply quotient_nonneg; [nra | lra] | apply (div_same (ms := zcdp)), same_refl]].
        destruct J as [_ J]. exact (exponential_linf E1 _ J).
      * apply (@chosen_same _ LInf); [exact Logic.I | exact K].
    + assert (V : Q2R (Qred (d / scale * (d / scale) / inject_Z 8)) = Q2R d / Q2R scale * (Q2R d / Q2R scale) / 8)
        by (rewrite Q2R_red, Q2R_div, !Q2R_mult, !Q2R_div, !Q2R_Z by (exact E2 || (intros W; discriminate)); reflexivity).
      assert (N : nonneg_loss (single (d / scale * (d / scale) / inject_Z 8))).
      { apply single_nonneg; rewrite <- Q2R_red, V. apply quotient_nonneg; [|lra]. nra. }
      split; [exact N|]. cbn [measure_rule]. split; intros x y K; apply (has_ok E) in K.
      * apply (@chosen_close MZcdp _ Range (Q2R d)); [exact N | exact Logic.I | | exact K]. intros n g a b L J. cbn [meets real single fst]. rewrite V.
        unfold drawn. destruct (lt_dec 0 n); [|apply (div_le (ms := zcdp)) with zero; [apply quotient_nonneg; [nra | lra] | apply (div_same (ms := zcdp)), same_refl]].
        destruct J as [_ J]. exact (exponential_range E1 _ J).
      * apply (@chosen_same _ Range); [exact Logic.I | exact K].
  - (* AboveThreshold *)
    destruct m0; try discriminate; intros H; match type of H with (if ?c && _ && _ then _ else _) = _ => destruct c eqn:E; [|discriminate] end;
    (destruct (above_0 threshold_scale) eqn:E1; [|discriminate]); (destruct (above_0 query_scale) eqn:E2; [|discriminate]); injection H as <- <-;
    apply above_0_R in E1, E2; apply Qnonzero_R in E1 as F1; apply Qnonzero_R in E2 as F2; pose proof (IZR_le 0 (Zpos hits) ltac:(lia)) as Hh.
    + assert (V : Q2R (Qred (d / threshold_scale + inject_Z 2 * (Zpos hits # 1) * d / query_scale)) =
        Q2R d / Q2R threshold_scale + 2 * IZR (Zpos hits) * Q2R d / Q2R query_scale)
        by (now rewrite Q2R_red, Q2R_plus, !Q2R_div, !Q2R_mult, Q2R_Z, Q2R_pos).
      split; [apply single_nonneg; rewrite <- Q2R_red, V; apply Rplus_le_le_0_compat; apply quotient_nonneg; nra|].
      cbn [measure_rule meets real single fst]. rewrite V. split; intros x y K; apply (has_ok E) in K.
      * exact (compared_linf threshold hits E1 E2 K).
      * apply same_of_eq, (@compared_same I LInf); [exact Logic.I | exact K].
    + assert (V : Q2R (Qred (d / threshold_scale + (Zpos hits # 1) * d / query_scale)) =
        Q2R d / Q2R threshold_scale + IZR (Zpos hits) * Q2R d / Q2R query_scale)
        by (now rewrite Q2R_red, Q2R_plus, !Q2R_div, Q2R_mult, Q2R_pos).
      split; [apply single_nonneg; rewrite <- Q2R_red, V; apply Rplus_le_le_0_compat; apply quotient_nonneg; nra|].
      cbn [measure_rule meets real single fst]. rewrite V. split; intros x y K; apply (has_ok E) in K.
      * exact (compared_range threshold hits E1 E2 K).
      * apply same_of_eq, (@compared_same I Range); [exact Logic.I | exact K].
  - (* ThresholdRelease *)
    destruct (has Symmetric fs) eqn:E; [|discriminate]. destruct (above_0 scale) eqn:E1; [|discriminate].
    destruct (Z.leb 2 at_least) eqn:E2; [|discriminate]. cbn [andb]. destruct (tail_above scale at_least) as [h|] eqn:T; [|discriminate].
    destruct (lifted MApprox d (Qred (1 / scale), h)) as [k|] eqn:L; [|discriminate]. intros H; injection H as <- <-.
    apply above_0_R in E1. apply Z.leb_le in E2. destruct (tail_above_ok E1 T) as [H0 Hh].
    assert (V : Q2R (Qred (1 / scale)) = 1 / Q2R scale) by (rewrite Q2R_red, Q2R_div, Q2R_1; [reflexivity | now apply Qnonzero_R]).
    assert (N : nonneg_loss (Qred (1 / scale), h)) by (split; cbn [fst snd]; [rewrite V; apply quotient_nonneg; lra | exact H0]).
    destruct (@lifted_ok MApprox d _ k Hd N L) as [Nk Lk].
    assert (Fr : exists A, forall key, @frequent I key (Q2R scale) at_least = @ThresholdRelease.released (row I) constant constant_dec (before I) key (Q2R scale) at_least A).
    { unfold frequent. destruct (Rlt_dec 0 (Q2R scale)); [eauto | lra]. }
    destruct Fr as [A Fr].
    assert (P : private symmetric approx (@frequent I (class I by_) (Q2R scale) at_least)
      (fun d => (d * (1 / Q2R scale), hidden (Q2R scale) at_least * geometric d (1 / Q2R scale)))).
    { rewrite Fr. apply threshold_release; [apply before_irrefl | apply before_trans | apply before_total | exact E2]. }
    split; [exact Nk|]. cbn [measure_rule]. split; intros x y Kn; apply (has_ok E) in Kn; destruct (apart_rows Kn Logic.I) as (D & a & b & -> & ->);
    destruct Kn as [_ Kn].
    + apply (div_post (ms := meets MApprox)). apply P in Kn. cbn [meets real].
      apply (div_le (ms := approx)) with (2 := Kn). cbn [real group groups_of groups_approx fst snd] in Lk. simpl in Lk |- *. rewrite V in Lk.
      destruct Lk as [L1 L2]. split; [exact L1|]. eapply Rle_trans; [|exact L2].
      apply Rmult_le_compat_r; [apply geometric_nonneg; [apply quotient_nonneg; lra | exact Hd] | exact Hh].
    + apply same_bind; [|auto]. apply same_of_ind; [apply P in Kn | apply within_sym, P in Kn]; unfold approx in Kn; cbn [fst snd] in Kn;
      now rewrite Rmult_0_l, geometric_0, Rmult_0_r in Kn.
  - (* NameAndShame *)
    destruct (has ChangeOne fs) eqn:E; [|discriminate]. destruct (Qle_bool 0 delta) eqn:E1; [|discriminate].
    destruct (Qle_bool delta 1) eqn:E2; [|discriminate]. cbn [andb]. intros H; injection H as <- <-.
    apply Qle_R in E1, E2. rewrite Q2R_0 in E1. rewrite Q2R_1 in E2.
    assert (N : nonneg_loss (single (d * delta))) by (apply single_nonneg; rewrite Q2R_mult; now apply Rmult_le_pos).
    assert (P : private change_one total_variation (@some_published I (Q2R delta)) (fun d => d * Q2R delta)).
    { unfold some_published. destruct (Rle_dec 0 (Q2R delta)); [|lra]. destruct (Rle_dec (Q2R delta) 1); [|lra].
      apply name_and_shame. apply ordered_order. }
    split; [exact N|]. cbn [measure_rule]. split; intros x y Kn; apply (has_ok E) in Kn; destruct (apart_rows Kn Logic.I) as (D & a & b & -> & ->);
    destruct Kn as [_ Kn].
    + apply (div_post (ms := meets MTotalVariation)). cbn [meets real single fst]. rewrite Q2R_red, Q2R_mult. now apply P.
    + apply same_bind; [|auto]. apply same_of_ind; [apply P in Kn | apply within_sym, P in Kn]; unfold total_variation in Kn; now rewrite Rmult_0_l in Kn.
  - (* RandomRow *)
    destruct (has ChangeOne fs) eqn:E; [|discriminate]. destruct (existsb (is_sized_of size) fs) eqn:E1; [|discriminate]. cbn [andb].
    intros H; injection H as <- <-.
    assert (Sz : 0 < Q2R (Zpos size # 1)) by (rewrite Q2R_pos; apply IZR_lt; lia).
    assert (V : Q2R (Qred (d / (Zpos size # 1))) = Q2R d / INR (Pos.to_nat size)) by (rewrite Q2R_red, Q2R_div, pos_INR_; [reflexivity | now apply Qnonzero_R]).
    assert (Pz : 0 < INR (Pos.to_nat size)) by (apply lt_0_INR; lia).
    split; [split; cbn [fst snd]; rewrite ?Q2R_0, ?V; [lra | now apply quotient_nonneg]|].
    cbn [measure_rule]. split; intros x y Kn; pose proof (has_ok E Kn) as Kc; destruct (apart_rows Kc Logic.I) as (D & a & b & -> & ->);
    destruct (is_sized_ok E1 Kn) as [La Lb]; destruct Kc as [_ Kc].
    + apply (div_post (ms := meets MApprox)). unfold meets, approx, real. cbn [fst snd]. rewrite Q2R_0, V.
      exact (@random_row _ (Pos.to_nat size) ltac:(lia) _ _ _ (conj La (conj Lb Kc))).
    + apply same_bind; [|auto].
      apply same_of_ind; [pose proof (@random_row _ (Pos.to_nat size) ltac:(lia) _ _ _ (conj La (conj Lb Kc))) as P
        | pose proof (@random_row _ (Pos.to_nat size) ltac:(lia) _ _ _ (conj Lb (conj La (within_sym _ _ _ _ Kc)))) as P];
      unfold approx in P; cbn [fst snd] in P; unfold Rdiv in P; now rewrite Rmult_0_l in P.
  - (* ClaimedMeasurement *)
    destruct (has source fs) eqn:E; [|discriminate]. destruct (promised_at lower_loss promised d) as [k|] eqn:T; [|discriminate].
    destruct (Qle_bool 0 (fst k)) eqn:E1; [|discriminate]. destruct (Qle_bool 0 (snd k)) eqn:E2; [|discriminate]. cbn [andb].
    intros H; injection H as <- <-. apply Qle_R in E1, E2. rewrite Q2R_0 in E1, E2. destruct Kept as [Z P].
    destruct (promised_at_in _ _ _ lower_loss_either T) as (far & J & L). split; [split; assumption|]. cbn [measure_rule].
    split; intros x y K; apply (has_ok E) in K; [apply (P far k J), (apart_le L K) | now apply Z].
Qed.

(** ** Conversions *)
Lemma half_way_ok e h : 0 <= Q2R e -> half_way e = Some h -> (exp (Q2R e) - 1) / (exp (Q2R e) + 1) <= Q2R h /\ 0 <= Q2R h <= 1.
Proof.
  unfold half_way. intros He. destruct (Qeq_bool e 0) eqn:Z.
  { intros H; injection H as <-. apply Qeq_bool_iff, Qeq_eqR in Z. rewrite Z, !Q2R_0, exp_0. split; [right; field | lra]. }
  destruct (Qlt_bool 8000 e); [discriminate|]. destruct (exp_above e) as [u|] eqn:U; [|discriminate]. apply exp_above_ok in U.
  intros H; injection H as <-. pose proof (exp_ge_1 He) as E1.
  assert (P : Q2R (1 + u) = 1 + Q2R u) by (now rewrite Q2R_plus, Q2R_1).
  rewrite Q2R_minus, Q2R_div, P, Q2R_Z, Q2R_1 by (apply Qnonzero_R; lra). set (w := exp (Q2R e)) in *. set (v := Q2R u) in *.
  replace ((w - 1) / (w + 1)) with (1 - 2 / (1 + w)) by (field; lra).
  assert (2 / (1 + v) <= 2 / (1 + w)) by (apply Rmult_le_compat_l; [lra | apply Rinv_le_contravar; lra]).
  assert (2 / (1 + w) <= 1) by (apply Rmult_le_reg_r with (1 + w); [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra).
  assert (0 < 2 / (1 + v)) by (apply Rdiv_lt_0_compat; lra). lra.
Qed.

Lemma converted_ok A (P Q : dist A) source target tight delta alpha l k : nonneg_loss l ->
  converted source target tight delta alpha l = Some k -> nonneg_loss k /\
  (meets source P Q (real source l) -> meets source Q P (real source l) -> meets target P Q (real target k)).
Proof.
  intros [N1 N2]. destruct source, target; cbn [converted]; try discriminate.
  - (* pure to approx *) destruct delta, alpha; try discriminate. intros H; injection H as <-. split.
    + split; simpl; rewrite ?Q2R_0; lra.
    + intros H _. unfold meets, approx, real. cbn [fst snd]. rewrite Q2R_0. exact H.
  - (* pure to zcdp *) destruct delta, alpha; try discriminate. intros H; injection H as <-. split.
    + apply single_nonneg. rewrite Q2R_div, Q2R_mult, Q2R_Z by (intros W; discriminate). apply quotient_nonneg; [nra | lra].
    + intros H1 H2. cbn [meets real single fst] in *. rewrite Q2R_red, Q2R_div, Q2R_mult, Q2R_Z by (intros W; discriminate).
      set (mt := {| within := fun (d : R) (x y : bool) => 0 <= d; within_sym := fun _ _ _ h => h; within_nonneg := fun _ _ _ h => h;
        within_le := fun _ _ _ _ hd h => Rle_trans _ _ _ h hd |}).
      assert (PR : private mt pure (fun b : bool => if b then P else Q) (fun _ => Q2R (fst l))).
      { intros d [] [] _; [|exact H1 | exact H2 |]; apply (div_le (ms := pure)) with zero; try exact N1; apply (div_same (ms := pure)), same_refl. }
      pose proof (@pure_to_zcdp _ _ mt (fun b => if b then P else Q) (fun _ => Q2R (fst l)) PR 0 true false (Rle_refl 0)) as T. exact T.
  - (* pure to total variation *) destruct delta, alpha; try discriminate.
    destruct (half_way (fst l)) as [h|] eqn:E; [|discriminate]. apply half_way_ok in E; [|exact N1]. intros H; injection H as <-. split.
    + apply single_nonneg; lra.
    + intros H K. cbn [meets real single fst] in *. rewrite Q2R_red.
      pose proof (ind_worst_case (Rle_refl 0) H K) as W. unfold worst_case in W. rewrite exp_0 in W.
      eapply ind_weaken; [apply Rle_refl | | exact W]. pose proof (exp_ge_1 N1). rewrite Rmax_right.
      * rewrite (Rplus_comm 1 (exp _)). lra.
      * apply quotient_nonneg; lra.
  - (* approx to total variation *) destruct delta, alpha; try discriminate.
    destruct (half_way (fst l)) as [h|] eqn:E; [|discriminate]. apply half_way_ok in E; [|exact N1]. intros H; injection H as <-.
    destruct (Qle_bool 1 (snd l)) eqn:F.
    + apply Qle_R in F. rewrite Q2R_1 in F. split; [apply single_nonneg; rewrite Q2R_1; lra|].
      intros _ _ f T. cbn [real single fst]. rewrite Q2R_red, Q2R_1, exp_0. pose proof (expect_test P T). pose proof (expect_test Q T). lra.
    + apply Qgt_R in F. rewrite Q2R_1 in F.
      assert (V : Q2R (snd l + (1 - snd l) * h) = Q2R (snd l) + (1 - Q2R (snd l)) * Q2R h) by (now rewrite Q2R_plus, Q2R_mult, Q2R_minus, Q2R_1).
      split; [apply single_nonneg; rewrite V; nra|].
      intros H K. cbn [meets real single fst] in *. rewrite Q2R_red, V.
      pose proof (ind_worst_case (Rle_refl 0) H K) as W. unfold worst_case in W. cbn [fst snd] in W. rewrite exp_0 in W.
      eapply ind_weaken; [apply Rle_refl | | exact W]. pose proof (exp_ge_1 N1). rewrite Rmax_right.
      * rewrite (Rplus_comm 1 (exp _)). apply Rplus_le_compat_l, Rmult_le_compat_l; lra.
      * apply quotient_nonneg; lra.
  - (* zcdp to approx *) destruct tight.
    + destruct delta as [delta|], alpha as [alpha|]; try discriminate.
      destruct (above_0 delta) eqn:E1; [|discriminate]. destruct (above_0 (alpha - 1)) eqn:E2; [|discriminate].
      apply above_0_R in E1, E2. rewrite Q2R_minus, Q2R_1 in E2.
      destruct (log_above ((alpha - 1) / alpha)) as [a|] eqn:La; [|discriminate].
      destruct (log_above (/ (delta * alpha))) as [b|] eqn:Lb; [|discriminate].
      apply log_above_ok in La, Lb. destruct La as [_ La], Lb as [_ Lb]. cbn [andb]. intros H; injection H as <-.
      rewrite Q2R_div, Q2R_minus, Q2R_1 in La by (apply Qnonzero_R; lra).
      rewrite Q2R_inv, Q2R_mult in Lb by (apply Qnonzero_R; rewrite Q2R_mult; nra).
      rewrite ln_Rinv, ln_mult in Lb by nra.
      assert (V : Q2R (fst l * alpha + a + b / (alpha - 1)) = Q2R (fst l) * Q2R alpha + Q2R a + Q2R b / (Q2R alpha - 1)).
      { rewrite !Q2R_plus, Q2R_mult, Q2R_div, Q2R_minus, Q2R_1; [reflexivity | apply Qnonzero_R; rewrite Q2R_minus, Q2R_1; lra]. }
      split; [split; simpl; [unfold Qmax0; rewrite Q2R_max, Q2R_0; apply Rmax_l | lra]|].
      intros H _. unfold meets, approx, real. cbn [fst snd].
      assert (Ha : 1 < Q2R alpha) by lra. pose proof (at_most_to_ind Ha E1 (H (Q2R alpha) Ha)) as T.
      eapply ind_weaken; [| apply Rle_refl | exact T]. unfold Qmax0. rewrite Q2R_max, V. eapply Rle_trans; [|apply Rmax_r].
      cbn [real fst]. unfold Rdiv, Rminus in *. set (i := / (Q2R alpha + - (1))) in *.
      assert (0 < i) by (apply Rinv_0_lt_compat; lra). nra.
    + destruct delta as [delta|], alpha as [alpha|]; try discriminate.
      destruct (above_0 delta) eqn:E1; [|discriminate]. destruct (above_0 (1 - delta)) eqn:E2; [|discriminate].
      apply above_0_R in E1, E2. rewrite Q2R_minus, Q2R_1 in E2.
      destruct (log_above (/ delta)) as [b|] eqn:Lb; [|discriminate]. apply log_above_ok in Lb. destruct Lb as [_ Lb].
      rewrite Q2R_inv in Lb by now apply Qnonzero_R. cbn [andb]. intros H; injection H as <-.
      pose proof (root_above_ok (fst l * b)) as Rt. pose proof (sqrt_pos (Q2R (fst l * b))).
      assert (V : Q2R (fst l + inject_Z 2 * root_above (fst l * b)) = Q2R (fst l) + 2 * Q2R (root_above (fst l * b))) by (now rewrite Q2R_plus, Q2R_mult, Q2R_Z).
      split; [split; cbn [fst snd]; rewrite ?V; lra|].
      intros H1 H2. unfold meets, approx, real. cbn [fst snd]. rewrite V.
      set (mt := {| within := fun (d : R) (x y : bool) => 0 <= d; within_sym := fun _ _ _ h => h; within_nonneg := fun _ _ _ h => h;
        within_le := fun _ _ _ _ hd h => Rle_trans _ _ _ h hd |}).
      assert (PR : private mt zcdp (fun b : bool => if b then P else Q) (fun _ => Q2R (fst l))).
      { intros d [] [] _; [|exact H1 | exact H2 |]; apply (div_le (ms := zcdp)) with zero; try exact N1; apply (div_same (ms := zcdp)), same_refl. }
      pose proof (@zcdp_to_approx _ _ mt (fun b => if b then P else Q) (fun _ => Q2R (fst l)) (Q2R delta) ltac:(lra) ltac:(intros; exact N1) PR 0 true false (Rle_refl 0)) as T.
      unfold approx in T. cbn [fst snd] in T. eapply ind_weaken; [| apply Rle_refl | exact T].
      apply Rplus_le_compat_l, Rmult_le_compat_l; [lra|]. eapply Rle_trans; [|exact Rt]. apply sqrt_le_1_alt. rewrite Q2R_mult.
      apply Rmult_le_compat_l; [exact N1|]. unfold Rdiv. now rewrite Rmult_1_l.
  - (* total variation to approx *) destruct delta, alpha; try discriminate. intros H; injection H as <-. split.
    + split; simpl; rewrite ?Q2R_0; lra.
    + intros H _. unfold meets, approx, real. cbn [fst snd]. rewrite Q2R_0. exact H.
Qed.

(** ** The tree *)
Lemma close_or_nothing m n fs d l (x y : data) : nonneg_loss l -> (known fs d x y -> close m n x y l) -> known_or_nothing fs d x y -> close m n x y l.
Proof. intros N H [K|[-> ->]]; [now apply H | now apply close_refl]. Qed.

Lemma all_of_measure_ok m cs ls : all_of_measure m cs = Some ls -> Forall2 (fun c l => c = Some (m, l)) cs ls.
Proof.
  revert ls; induction cs as [|c cs IH]; simpl; intros ls H; [injection H as <-; constructor|].
  destruct (of_measure m c) as [l|] eqn:E; [|discriminate]. destruct (all_of_measure m cs) as [ks|]; [|discriminate]. injection H as <-.
  constructor; [|now apply IH]. unfold of_measure in E. destruct c as [[k j]|]; [|discriminate].
  destruct (measure_eqb m k) eqn:F; [|discriminate]. apply measure_eqb_eq in F. congruence.
Qed.

Lemma of_measure_ok m c l : of_measure m c = Some l -> c = Some (m, l).
Proof.
  unfold of_measure. destruct c as [[k j]|]; [|discriminate]. destruct (measure_eqb m k) eqn:F; [|discriminate].
  apply measure_eqb_eq in F. congruence.
Qed.

Lemma together_nonneg md ls : Forall nonneg_loss ls -> nonneg_loss (together md ls).
Proof.
  intros H. assert (S : forall f : loss -> Q, Forall (fun l => 0 <= Q2R (f l)) ls -> 0 <= Q2R (total md (map f ls))).
  { intros f F. eapply Rle_trans; [|apply total_ok]. induction F as [|l ks N _ IH]; simpl; [lra|]. 
    inversion H; subst. specialize (IH H3). lra. }
  unfold nonneg_loss, together; simpl. split; apply S; revert H; apply Forall_impl; intros l [N1 N2]; auto.
Qed.

(** Composition. *)
Lemma compose_close m (Ms : list (data -> dist (released (users I)))) ls x y :
  Forall2 (fun M l => meets m (M x) (M y) (real m l)) Ms ls -> meets m (all Ms x) (all Ms y) (plus_all (map (real m) ls)).
Proof.
  induction 1 as [|M l Ms ls H _ IH]; simpl; [apply (div_same (ms := meets m)), same_refl|].
  apply (div_bind (ms := meets m)); [exact H|]. intros a. apply (div_post (ms := meets m)), IH.
Qed.
Lemma compose_same (Ms : list (data -> dist (released (users I)))) x y :
  Forall (fun M => same (M x) (M y)) Ms -> same (all Ms x) (all Ms y).
Proof. induction 1 as [|M Ms H _ IH]; simpl; [apply same_refl|]. apply same_bind; [exact H|]. intros a; apply same_bind; auto. Qed.

(** Advanced composition. The theory speaks of private measurements; here they are seen at two inputs, either first. *)
Definition two_points : Metrics.metric bool :=
  {| within := fun (d : R) (x y : bool) => 0 <= d; within_sym := fun _ _ _ h => h; within_nonneg := fun _ _ _ h => h;
     within_le := fun _ _ _ _ hd h => Rle_trans _ _ _ h hd |}.
Definition seen (x y : data) (M : data -> dist (released (users I))) (b : bool) := if b then M x else M y.

Lemma all_seen Ms x y b : all (map (seen x y) Ms) b = all Ms (if b then x else y).
Proof.
  induction Ms as [|M Ms IH]; [reflexivity|]. simpl.
  replace (fun a => bind (all (map (seen x y) Ms) b) (fun l => ret (a :: l))) with (fun a => bind (all Ms (if b then x else y)) (fun l => ret (a :: l))) by now rewrite IH.
  destruct b; reflexivity.
Qed.

Lemma seen_private m Ms ls x y : Forall nonneg_loss ls ->
  Forall2 (fun M l => meets m (M x) (M y) (real m l)) Ms ls -> Forall2 (fun M l => meets m (M y) (M x) (real m l)) Ms ls ->
  Forall2 (private two_points (meets m)) (map (seen x y) Ms) (map (fun l (_ : R) => real m l) ls).
Proof.
  intros N F G. revert G N. induction F as [|M l Ms ls H _ IH]; intros G N; [constructor|]. inversion G; inversion N; subst.
  simpl. constructor; [|now apply IH]. intros d [] [] _; unfold seen; auto;
  apply (div_le (ms := meets m)) with zero; try (now apply real_nonneg); apply (div_same (ms := meets m)), same_refl.
Qed.

Lemma drifts_above_ok ls ds : Forall nonneg_loss ls -> drifts_above ls = Some ds ->
  fold_right (fun l s => drift (Q2R (fst l)) + s) 0 ls <= sum_R ds /\ 0 <= sum_R ds.
Proof.
  intros N. revert ds. induction N as [|l ls [N1 N2] _ IH]; intros ds H; simpl in H.
  - injection H as <-. simpl. lra.
  - destruct (half_way (fst l)) as [h|] eqn:E; [|discriminate]. destruct (drifts_above ls) as [es|]; [|discriminate]. injection H as <-.
    destruct (IH es eq_refl). apply half_way_ok in E; [|exact N1]. destruct E as [E E0]. simpl. rewrite Q2R_mult.
    assert (drift (Q2R (fst l)) <= Q2R (fst l) * Q2R h).
    { unfold drift. unfold Rdiv. rewrite Rmult_assoc. apply Rmult_le_compat_l; [exact N1 | exact E]. }
    assert (0 <= Q2R (fst l) * Q2R h) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma sum_R_nonneg l : Forall (fun q => 0 <= Q2R q) l -> 0 <= sum_R l.
Proof. induction 1; simpl; lra. Qed.
Lemma sum_list C D (h : D -> R) (f : C -> D) cs : Distributions.sum h (map f cs) = fold_right (fun c s => h (f c) + s) 0 cs.
Proof. induction cs; simpl; congruence. Qed.
Lemma sum_R_map (f : loss -> Q) ls : sum_R (map f ls) = fold_right (fun l s => Q2R (f l) + s) 0 ls.
Proof. induction ls; simpl; congruence. Qed.
Lemma total_nonneg md l : Forall (fun q => 0 <= Q2R q) l -> 0 <= Q2R (total md l).
Proof. intros H. apply Rle_trans with (sum_R l); [exact (sum_R_nonneg H) | apply total_ok]. Qed.

Lemma advanced_ok m md slack ls k : Forall nonneg_loss ls -> 0 < Q2R slack < 1 -> advanced md m slack ls = Some k ->
  takes_advanced m = true -> nonneg_loss k /\
  forall (Ms : list (data -> dist (released (users I)))) x y, Forall2 (fun M l => meets m (M x) (M y) (real m l)) Ms ls ->
    Forall2 (fun M l => meets m (M y) (M x) (real m l)) Ms ls -> meets MApprox (all Ms x) (all Ms y) (real MApprox k).
Proof.
  unfold advanced. intros N S H T. destruct (log_above (/ slack)) as [b|] eqn:Lb; [|discriminate].
  destruct (drifts_above ls) as [ds|] eqn:Ld; [|discriminate]. injection H as <-.
  apply log_above_ok in Lb. destruct Lb as [_ Lb]. rewrite Q2R_inv in Lb by (apply Qnonzero_R; lra).
  destruct (drifts_above_ok N Ld) as [Dr D0]. pose proof (total_ok md ds) as Td.
  set (sq := total md (map (fun l => (fst l * fst l)%Q) ls)).
  assert (Sq : fold_right (fun l s => Q2R (fst l) * Q2R (fst l) + s) 0 ls <= Q2R sq).
  { eapply Rle_trans; [|apply total_ok]. rewrite sum_R_map. right. clear. induction ls; simpl; [reflexivity|]. now rewrite IHls, Q2R_mult. }
  pose proof (root_above_ok (inject_Z 2 * Qmax0 b * sq)) as Rt. pose proof (sqrt_pos (Q2R (inject_Z 2 * Qmax0 b * sq))).
  assert (V : Q2R (inject_Z 2 * Qmax0 b * sq) = 2 * Rmax 0 (Q2R b) * Q2R sq) by (unfold Qmax0; now rewrite !Q2R_mult, Q2R_Z, Q2R_max, Q2R_0).
  assert (Slack : forall l, Forall (fun q => 0 <= Q2R q) l -> Q2R slack + sum_R l <= Q2R (total md (slack :: l))).
  { intros l _. exact (total_ok md (slack :: l)). }
  assert (Nd : Forall (fun q => 0 <= Q2R q) (map snd ls)).
  { clear -N. induction N as [|l ls [N1 N2] _ IH]; simpl; constructor; auto. }
  split.
  { split; cbn [fst snd].
    - rewrite Q2R_plus. lra.
    - apply total_nonneg. constructor; [lra|]. destruct m; auto. }
  intros Ms x y F G. pose proof (seen_private N F G) as P.
  assert (Root : sqrt (2 * ln (1 / Q2R slack) * fold_right (fun l s => Q2R (fst l) * Q2R (fst l) + s) 0 ls) <= Q2R (root_above (inject_Z 2 * Qmax0 b * sq))).
  { eapply Rle_trans; [|exact Rt]. rewrite V. apply sqrt_le_1_alt.
    assert (L0 : 0 < ln (1 / Q2R slack)).
    { rewrite <- ln_1. apply ln_increasing; [lra|]. unfold Rdiv. rewrite Rmult_1_l. rewrite <- Rinv_1 at 1. apply Rinv_lt_contravar; lra. }
    assert (LB : ln (1 / Q2R slack) <= Rmax 0 (Q2R b)).
    { eapply Rle_trans; [|apply Rmax_r]. unfold Rdiv. now rewrite Rmult_1_l. }
    assert (S0 : 0 <= fold_right (fun l s => Q2R (fst l) * Q2R (fst l) + s) 0 ls).
    { clear. induction ls; simpl; [lra|]. nra. }
    apply Rmult_le_compat; nra. }
  rewrite <- (all_seen Ms x y true), <- (all_seen Ms x y false).
  destruct m; try discriminate T.
  - pose proof (@advanced_composition_pure bool _ two_points (map (seen x y) Ms) (map (fun l (_ : R) => Q2R (fst l)) ls) P) as A.
    assert (NN : forall l d, In l (map (fun l (_ : R) => Q2R (fst l)) ls) -> 0 <= l d).
    { intros l d J. apply in_map_iff in J. destruct J as (l' & <- & J). rewrite Forall_forall in N. apply (N l' J). }
    specialize (A ltac:(intros; eapply NN; eassumption) (Q2R slack) S 0 true false (Rle_refl 0)). unfold approx in A. cbn [fst snd] in A.
    unfold AdvancedComposition.squares, AdvancedComposition.drifts in A. rewrite !sum_list in A.
    unfold meets, approx, real. cbn [fst snd]. eapply ind_weaken; [| | exact A].
    + rewrite Q2R_plus. lra.
    + eapply Rle_trans; [|apply (Slack [] ltac:(constructor))]. simpl; lra.
  - pose proof (@advanced_composition_approx bool _ two_points (map (seen x y) Ms) (map (fun l (_ : R) => (Q2R (fst l), Q2R (snd l))) ls) P) as A.
    assert (NN : forall l d, In l (map (fun l (_ : R) => (Q2R (fst l), Q2R (snd l))) ls) -> 0 <= fst (l d) /\ 0 <= snd (l d)).
    { intros l d J. apply in_map_iff in J. destruct J as (l' & <- & J). rewrite Forall_forall in N. apply (N l' J). }
    specialize (A ltac:(intros; eapply NN; eassumption) (Q2R slack) S 0 true false (Rle_refl 0)). unfold approx in A. cbn [fst snd] in A.
    unfold AdvancedComposition.squares, AdvancedComposition.drifts, epsilons, total_delta in A. rewrite !map_map, !sum_list in A. cbn [fst snd] in A.
    unfold meets, approx, real. cbn [fst snd]. eapply ind_weaken; [| | exact A].
    + rewrite Q2R_plus. lra.
    + eapply Rle_trans; [|apply (Slack (map snd ls) Nd)]. rewrite sum_R_map. apply Rplus_le_compat_l; right; reflexivity.
Qed.

(** Group privacy, for any measurement of data a step apart. *)
Lemma group_close m (X : Type) (mt : Metrics.metric X) (M : X -> dist (released (users I))) d l k a b : whole mt -> 0 <= Q2R d -> nonneg_loss l ->
  lifted m d l = Some k -> (forall u v, mt 1 u v -> meets m (M u) (M v) (real m l)) -> (forall u v, mt 0 u v -> same (M u) (M v)) ->
  mt (Q2R d) a b -> meets m (M a) (M b) (real m k).
Proof.
  intros W Hd N H K Z D. destruct (@lifted_ok m d l k Hd N H) as [_ L]. apply (div_le (ms := meets m)) with (1 := L).
  apply (lift (D := divergence_of m)) with (m := mt) (l := real m l); auto. now apply real_nonneg.
Qed.

(** What is lost in one step, and nothing at no distance. *)
Lemma lift_sound m n s fs d l k : in_steps s = true -> (forall d (x y : data), known fs d x y -> known (one_step s fs) d x y) ->
  0 <= Q2R d -> nonneg_loss l -> lifted m d l = Some k -> (forall x y : data, known (one_step s fs) 1 x y -> close m n x y l) ->
  (forall x y : data, known (one_step s fs) 0 x y -> same (denote n x) (denote n y)) ->
  nonneg_loss k /\ (forall x y, known fs (Q2R d) x y -> close m n x y k) /\ (forall x y : data, known fs 0 x y -> same (denote n x) (denote n y)).
Proof.
  intros S F Hd N L P Z. destruct (@lifted_ok m d l k Hd N L) as [Nk Lk]. split; [exact Nk|]. split; intros x y K; apply F in K.
  - apply (div_le (ms := meets m)) with (1 := Lk). exact (lift_steps (ms := meets m) (M := denote n) S (real_nonneg m N) P Z K).
  - now apply Z.
Qed.

Lemma starts_in_ok s fs : starts_in s fs = true -> in_steps s = true /\ forall d (x y : data), known fs d x y -> known (one_step s fs) d x y.
Proof. unfold starts_in. destruct (in_steps s); [|discriminate]. intros H. split; [reflexivity | intros d x y; now apply one_step_ok]. Qed.

Lemma nonnegs_ok l : nonnegs l = true -> Forall (fun q => 0 <= Q2R q) l.
Proof. intros H. apply Forall_forall. intros q J. unfold nonnegs in H. rewrite forallb_forall in H. specialize (H q J). apply Qle_R in H. now rewrite Q2R_0 in H. Qed.

(** One measurement for each part. *)
Lemma index_In k ks : In k ks -> (index k ks < length ks)%nat.
Proof.
  induction ks as [|a ks IH]; simpl; [tauto|]. intros [->|J].
  - assert (constant_eqb k k = true) as -> by now apply constant_eqb_eq. lia.
  - destruct (constant_eqb a k); [lia | specialize (IH J); lia].
Qed.

Lemma constants_eqb_eq k l : constants_eqb k l = true -> k = l.
Proof.
  unfold constants_eqb. revert l; induction k as [|a k IH]; intros [|b l] H; simpl in H; try discriminate; [reflexivity|].
  apply andb_prop in H. destruct H as [L H]. apply andb_prop in H. destruct H as [E H]. simpl in E.
  apply constant_eqb_eq in E. subst. f_equal. apply IH. apply andb_true_iff; split; auto.
Qed.

Lemma of_parts_again fs d d' a b D E ks ls p q : known (of_rows fs) d (Parts D ks p : data) (Parts E ls q) -> known (of_rows fs) d' (Rows D a : data) (Rows E b).
Proof.
  unfold of_rows. destruct (domain_of fs) as [F|]; [|constructor]. intros K. inversion K; subst. constructor; [|constructor]. exact H1.
Qed.
Lemma of_rows_parts fs d a b D E ks ls : known fs d (Parts D ks a : data) (Parts E ls b) -> known (of_rows fs) d (Parts D ks a : data) (Parts E ls b).
Proof.
  unfold of_rows, domain_of. intros K. destruct (find _ fs) as [f|] eqn:F; [|constructor]. apply find_some in F. destruct F as [J F].
  destruct f; try discriminate. constructor; [|constructor]. unfold known in K; rewrite Forall_forall in K. exact (K _ J).
Qed.

Definition premise_ok m D p l := nonneg_loss l /\
  (forall a b, symmetric 1 a b -> close m p (Rows D a) (Rows D b) l) /\
  (forall a b, symmetric 0 a b -> same (denote p (Rows D a) : dist (released (users I))) (denote p (Rows D b))).
Definition changed_ok m D p l := nonneg_loss l /\ (forall a b, change_one 1 a b -> close m p (Rows D a) (Rows D b) l).

Section Part.
Variables (ps : list node) (rest : list (data -> dist (released (users I)))) (keys : list constant) (D : domain) (m : measure).
Hypothesis keys_distinct : NoDup keys.
Hypothesis many : length keys = length ps.
Notation M := (in_part (map (denote (I := I)) ps ++ rest) keys D).
Definition premise (k : constant) : node := nth (index k keys) ps (Tree Chain []).

Lemma in_part_premise k x : In k keys -> M k x = denote (premise k) (Rows D x).
Proof.
  intros J. apply index_In in J. unfold in_part, premise. rewrite app_nth1 by (rewrite map_length; lia).
  rewrite nth_indep with (d' := denote (Tree Chain [])) by (rewrite map_length; lia). now rewrite map_nth.
Qed.

Lemma many_of (P : node -> loss -> Prop) qs ks : Forall2 P qs ks -> length ks = length qs.
Proof. induction 1; simpl; congruence. Qed.

Lemma nth_ok (P : node -> loss -> Prop) ls : Forall2 P ps ls -> forall i, (i < length ps)%nat ->
  In (nth i ls (0, 0)%Q) ls /\ P (nth i ps (Tree Chain [])) (nth i ls (0, 0)%Q).
Proof.
  clear many. induction 1 as [|p l ps' ls' H _ IH]; intros i Li; simpl in Li; [lia|].
  destruct i as [|i]; [simpl; auto|]. specialize (IH i ltac:(lia)). simpl. tauto.
Qed.

Variable ls : list loss.
Hypothesis moved : Forall2 (premise_ok m D) ps ls.
Definition loss_of (k : constant) : loss := nth (index k keys) ls (0, 0)%Q.

Lemma at_key k : In k keys -> In (loss_of k) ls /\ nonneg_loss (loss_of k) /\
  (forall a b, symmetric 1 a b -> meets m (M k a) (M k b) (real m (loss_of k))) /\ respects symmetric (M k).
Proof.
  intros J. pose proof (index_In J) as L. rewrite many in L. unfold respects.
  destruct (nth_ok moved L) as (A1 & A2 & A3 & A4). fold (premise k) in A3, A4. fold (loss_of k) in A1, A2, A3.
  split; [exact A1|]. split; [exact A2|]. split; intros a b S; rewrite !in_part_premise by exact J; auto. now apply A3.
Qed.

Lemma moved_private k : In k keys -> private symmetric (meets m) (M k) (fun d => group d (real m (loss_of k))).
Proof.
  intros J. destruct (at_key J) as (_ & N & P & Z).
  apply (lift (D := divergence_of m)); auto using whole_symmetric, real_nonneg.
Qed.

Lemma parallel_close a b : parts_symmetric keys 1 a b -> meets m (parallel M keys a) (parallel M keys b) (real m (worst ls)).
Proof.
  intros S. pose proof (@parallel_symmetric constant (row I) _ constant_dec keys keys_distinct _ _ (meets m) _ _ M
    (fun k d => group d (real m (loss_of k))) (fun k J => proj2 (proj2 (proj2 (at_key J)))) moved_private 1 a b S) as P.
  cbv beta in P. rewrite group_1 in P. apply (div_le (ms := meets m)) with (2 := P). unfold moved_most.
  apply largest_le; [apply real_nonneg, worst_nonneg|]. intros l J. apply in_map_iff in J. destruct J as (k & <- & J).
  rewrite group_1. apply real_le, worst_ge, (at_key J).
Qed.

Lemma parallel_same a b : (forall k, In k keys -> symmetric 0 (a k) (b k)) -> same (parallel M keys a) (parallel M keys b).
Proof. intros S. apply each_same. intros k J. apply (at_key J), S, J. Qed.

(** Rows replaced. *)
Variable cs : list loss.
Hypothesis changed : Forall2 (changed_ok m D) ps cs.
Definition change_of (k : constant) : loss := nth (index k keys) cs (0, 0)%Q.

Lemma change_0 (u v : list (row I)) : change_one 0 u v -> symmetric 0 u v.
Proof. intros H. apply symmetric_0, change_one_0, H. Qed.

Lemma changed_private k : In k keys -> private change_one (meets m) (M k) (fun d => group d (real m (change_of k))).
Proof.
  intros J. pose proof (index_In J) as L. rewrite many in L. destruct (nth_ok changed L) as (A1 & A2 & A3). fold (premise k) in A3. fold (change_of k) in A2, A3.
  destruct (at_key J) as (_ & _ & _ & Z).
  apply (lift (D := divergence_of m)); auto using whole_change_one, real_nonneg.
  - intros u v S. apply Z, change_0, S.
  - intros u v S. rewrite !in_part_premise by exact J. now apply A3.
Qed.

Lemma index_nth k : In k keys -> nth (index k keys) keys k = k.
Proof.
  clear. induction keys as [|a ks IH]; simpl; [tauto|]. intros [->|J].
  - assert (constant_eqb k k = true) as -> by now apply constant_eqb_eq. reflexivity.
  - destruct (constant_eqb a k) eqn:E; [now apply constant_eqb_eq in E | now apply IH].
Qed.

Lemma two_parts i j : In i keys -> In j keys -> i <> j -> le (plus (real m (loss_of i)) (real m (loss_of j))) (real m (worst_two ls)).
Proof.
  intros Ji Jj N.
  assert (Li : length ls = length keys) by (rewrite many; apply (many_of moved)).
  assert (D' : index i keys <> index j keys).
  { intros E. apply N. rewrite <- (index_nth Ji), <- (index_nth Jj). rewrite E. apply nth_indep. rewrite <- E. now apply index_In. }
  apply index_In in Ji, Jj.
  assert (T : forall f : loss -> Q, f (0, 0)%Q = 0%Q -> Q2R (f (loss_of i)) + Q2R (f (loss_of j)) <= Q2R (fst (two (map f ls))) + Q2R (snd (two (map f ls)))).
  { intros f f0. destruct (two_ok (map f ls)) as (_ & _ & P). specialize (P _ _ D'). rewrite map_length in P.
    specialize (P ltac:(lia) ltac:(lia)). rewrite <- f0, !map_nth in P. exact P. }
  unfold worst_two. destruct m; simpl; rewrite ?Q2R_plus.
  2:{ split; [exact (T fst eq_refl) | exact (T snd eq_refl)]. }
  all: exact (T fst eq_refl).
Qed.

Lemma parallel_change_close a b : parts_change_one keys 1 a b ->
  meets m (parallel M keys a) (parallel M keys b) (real m (worst (worst_two ls :: cs))).
Proof.
  intros S. pose proof (@parallel_change_one constant (row I) _ constant_dec keys keys_distinct _ _ (meets m) _ _ M
    (fun k d => group d (real m (loss_of k))) (fun k J => proj2 (proj2 (proj2 (at_key J)))) moved_private _
    (fun k d => group d (real m (change_of k))) changed_private) as P.
  assert (Z : forall k, In k keys -> le zero (group 1 (real m (loss_of k)))) by (intros k J; rewrite group_1; apply real_nonneg, (at_key J)).
  specialize (P Z 1 a b S). clear Z.
  cbv beta in P. rewrite group_1 in P. apply (div_le (ms := meets m)) with (2 := P). unfold changed_most.
  apply largest_le; [apply real_nonneg, worst_nonneg|]. intros l J.
  assert (W2 : at_most (worst_two ls) (worst (worst_two ls :: cs))) by (apply worst_ge; now left).
  apply in_app_or in J. destruct J as [J|J]; [|apply in_app_or in J; destruct J as [J|J]].
  - apply in_map_iff in J. destruct J as (k & <- & J). rewrite group_1. apply real_le, worst_ge. right.
    pose proof (index_In J) as Lk. rewrite many in Lk. apply (nth_ok changed Lk).
  - apply in_map_iff in J. destruct J as (k & <- & J). rewrite group_1. apply le_trans with (real m (worst_two ls)); [|now apply real_le].
    apply real_le. destruct (at_key J) as (Jl & N & _).
    destruct (two_ok (map fst ls)) as (F1 & F2 & _), (two_ok (map snd ls)) as (G1 & G2 & _).
    specialize (F2 _ (in_map fst _ _ Jl)). specialize (G2 _ (in_map snd _ _ Jl)).
    unfold at_most, worst_two. cbn [fst snd]. rewrite !Q2R_plus. lra.
  - apply in_map_iff in J. destruct J as ((i, j) & <- & J). apply filter_In in J. destruct J as [J N]. apply in_prod_iff in J. destruct J as [Ji Jj].
    simpl in N. destruct (constant_dec i j) as [|N']; [discriminate|]. cbn [fst snd]. rewrite !group_1.
    apply le_trans with (real m (worst_two ls)); [now apply two_parts | now apply real_le].
Qed.
End Part.

Lemma parts_change_one_0 (keys : list constant) (a b : constant -> list (row I)) : NoDup keys -> parts_change_one keys 0 a b ->
  forall k, In k keys -> symmetric 0 (a k) (b k).
Proof.
  intros ND (ls & rs & E & S) k J. apply (INR_le _ 0) in S. pose proof (E k J) as F.
  rewrite (size_0 ND ls ltac:(lia) k J), (size_0 ND rs ltac:(lia) k J) in F. exists [], []; split; [exact F | simpl; lra].
Qed.

Lemma parts_symmetric_0 (keys : list constant) (a b : constant -> list (row I)) : NoDup keys -> parts_symmetric keys 0 a b ->
  forall k, In k keys -> symmetric 0 (a k) (b k).
Proof.
  intros ND (ls & rs & E & S) k J. apply (INR_le _ 0) in S. pose proof (E k J) as F.
  rewrite (size_0 ND ls ltac:(lia) k J), (size_0 ND rs ltac:(lia) k J) in F. exists [], []; split; [exact F | simpl; lra].
Qed.

(** Parts with a transformation each. *)
Lemma by_part_ok md m source fs ps : Forall sound ps -> Forall (promises I) ps -> forall joint columns, forallb nonnegs joint = true ->
  by_part (cost md) m (one_step source fs) ps joint = Some columns -> follow_from I (meets m) (real m) source fs ps joint columns.
Proof.
  induction ps as [|t|t p ps IH] using pairs_ind; intros So Kp joint columns J H; try discriminate; [injection H as <-; constructor|]. cbn [by_part] in H.
  destruct (far t (one_step source fs)) as [[gs f]|] eqn:Fa; [|discriminate]. destruct (through f 1) as [most|] eqn:Th; [|discriminate].
  destruct (all_of_measure m _) as [ls|] eqn:A; [|discriminate]. destruct (by_part _ m _ ps _) as [cs|] eqn:B; [|discriminate]. injection H as <-.
  inversion So as [|u v _ So']; inversion So' as [|u' v' Hp So2]; inversion Kp as [|w k Kt Kp']; inversion Kp' as [|w' k' _ Kp2]; subst.
  destruct (far_ok Kt Fa) as [G S]. assert (H1 : 0 <= Q2R 1) by (rewrite Q2R_1; lra).
  destruct (at_all_ok G H1 Th) as [V M]. pose proof (at_all_nonneg G H1 V) as M0. rewrite Q2R_1 in V, M, M0.
  apply (@a_part I _ _ _ _ _ _ t p ps gs f most).
  - exact Fa.
  - intros x y K. destruct (S 1 x y ltac:(lra) V K) as [K'|N']; [left; exact (known_le M K') | now right].
  - intros x y K. pose proof (S 0 x y (Rle_refl 0) (reach_all_0 f) K) as K'. now rewrite at_all_0 in K'.
  - apply all_of_measure_ok in A. clear -A Hp J M M0. revert ls A. induction joint as [|v joint IH]; intros ls A; inversion A as [|c l cs ls' C A']; subst; constructor.
    + simpl in J. apply andb_prop in J. destruct J as [J _].
      assert (E : 0 <= Q2R (Qmin (hd 0%Q v) most)).
      { unfold Qmin. destruct (Qle_bool (hd 0%Q v) most); [|lra]. destruct v as [|e v]; [simpl; rewrite Q2R_0; lra|].
        apply nonnegs_ok in J. now inversion J. }
      destruct (Hp md gs _ m l E C) as (N & P & Z). split; [now apply real_nonneg | split; [exact P | exact Z]].
    + apply IH; [|exact A']. simpl in J. now apply andb_prop in J.
  - apply IH; auto. clear -J. induction joint as [|v joint IH]; [reflexivity|]. simpl in *. apply andb_prop in J. destruct J as [A B].
    rewrite (IH B), andb_true_r. destruct v as [|e v]; [reflexivity|]. simpl in *. now apply andb_prop in A.
Qed.

Lemma Forall_impl2 A (P Q : A -> Prop) l : Forall P l -> Forall (fun a => P a -> Q a) l -> Forall Q l.
Proof. rewrite !Forall_forall; auto. Qed.

Theorem cost_ok n : promises I n -> sound n.
Proof.
  induction n as [r ps IH] using node_ind'. intros Kept md fs d m l Hd H. destruct (promises_all Kept) as [Own Kept_below].
  apply (Forall_impl2 Kept_below) in IH.
  assert (Leaf : ps = [] -> cost_rule r fs d = Some (m, l) -> (forall x, denote (Tree r ps) x = measure_rule r x :> dist (released (users I))) ->
    nonneg_loss l /\ (forall x y, known fs (Q2R d) x y -> close m (Tree r ps) x y l) /\
    (forall x y, known fs 0 x y -> same (denote (Tree r ps) x : dist (released (users I))) (denote (Tree r ps) y))).
  { intros -> C E. destruct (cost_rule_ok Own Hd C) as (N & P & Z). split; [exact N|]. split; intros x y K.
    - unfold close. rewrite !E. now apply P.
    - rewrite !E. now apply Z. }
  destruct r; try (destruct ps; [|discriminate H]; apply Leaf; [reflexivity | exact H | reflexivity]); clear Leaf.
  - (* Chain *)
    clear Kept Own. revert fs d H Hd. induction IH as [|p ps Hp IH IHps]; inversion Kept_below as [|u v Kp Kps]; subst; intros fs d H Hd; [discriminate|].
    destruct ps as [|q ps].
    + change (cost md p fs d = Some (m, l)) in H. destruct (Hp md fs d m l Hd H) as (N & P & Z). auto.
    + change (match far p fs with
              | Some (gs, f) => match through f d with Some e => cost md (Tree Chain (q :: ps)) gs e | None => None end | None => None end = Some (m, l)) in H.
      destruct (far p fs) as [[gs f]|] eqn:F; [|discriminate]. destruct (through f d) as [e|] eqn:Fe; [|discriminate].
      destruct (far_ok Kp F) as [G S]. destruct (at_all_ok G Hd Fe) as [V Le]. pose proof (at_all_nonneg G Hd V) as Ge.
      destruct (IHps Kps gs e H ltac:(lra)) as (N & P & Z). split; [exact N|].
      split; intros x y K.
      * change (close m (Tree Chain (q :: ps)) (run p x) (run p y) l). destruct (S _ x y Hd V K) as [K'|[-> ->]]; [|now apply close_refl].
        apply P. eapply known_le; [|exact K']. exact Le.
      * change (same (denote (Tree Chain (q :: ps)) (run p x) : dist (released (users I))) (denote (Tree Chain (q :: ps)) (run p y))).
        destruct (S 0 x y (Rle_refl 0) (reach_all_0 f) K) as [K'|[-> ->]]; [|apply same_refl]. apply Z. now rewrite at_all_0 in K'.
  - (* PostProcess *)
    destruct ps as [|p [|]]; try discriminate. inversion IH as [|u v Hp _]; subst. cbn [cost] in H.
    destruct (Hp md fs d m l Hd H) as (N & P & Z). split; [exact N|]. split; intros x y K.
    + unfold close. cbn [denote map combined]. apply (div_post (ms := meets m)). now apply P.
    + cbn [denote map combined]. apply same_bind; [now apply Z | auto].
  - (* Convert *)
    destruct ps as [|p [|]]; try discriminate. inversion IH as [|u v Hp _]; subst. cbn [cost] in H.
    destruct (of_measure source (cost md p fs d)) as [k|] eqn:C; [|discriminate]. apply of_measure_ok in C.
    destruct (converted source target tight delta alpha k) as [j|] eqn:V; [|discriminate]. injection H as <- <-.
    destruct (Hp md fs d source k Hd C) as (N & P & Z).
    split; [exact (proj1 (converted_ok (ret tt) (ret tt) N V))|]. split; intros x y K.
    + unfold close. cbn [denote map combined]. apply (proj2 (converted_ok _ _ N V)); apply P; [exact K | now apply known_sym].
    + cbn [denote map combined]. now apply Z.
  - (* Compose *)
    destruct ps as [|p0 ps0]; [discriminate|]. cbn [cost] in H. set (ps := p0 :: ps0) in *.
    destruct (all_of_measure m0 (map (fun p => cost md p fs d) ps)) as [ls|] eqn:C; [|discriminate]. injection H as <- <-.
    apply all_of_measure_ok in C.
    assert (Nl : Forall nonneg_loss ls /\ (forall x y, known fs (Q2R d) x y -> Forall2 (fun M l => meets m0 (M x) (M y) (real m0 l)) (map (denote (I := I)) ps) ls) /\
      (forall x y, known fs 0 x y -> Forall (fun M => same (M x) (M y)) (map (denote (I := I)) ps))).
    { clear Kept Own Kept_below. clearbody ps. revert ls C. induction IH as [|p ps Hp _ IHps]; intros ls C; inversion C as [|c k cs ks E1 E2]; subst.
      - repeat split; constructor.
      - destruct (Hp md fs d m0 k Hd E1) as (N & P & Z). destruct (IHps ks E2) as (N' & P' & Z').
        split; [now constructor|]. split; intros x y K; simpl; constructor; auto; now apply P. }
    destruct Nl as (N & P & Z). split; [now apply together_nonneg|]. split; intros x y K.
    + unfold close. change (denote (Tree (Compose m0) ps)) with (fun d : data => bind (all (map (denote (I := I)) ps) d) (fun l => ret (Several l))).
      apply (div_post (ms := meets m0)). apply (div_le (ms := meets m0)) with (1 := together_ok m0 md ls). apply compose_close. now apply P.
    + change (denote (Tree (Compose m0) ps)) with (fun d : data => bind (all (map (denote (I := I)) ps) d) (fun l => ret (Several l))).
      apply same_bind; [|auto]. apply compose_same. now apply Z.
  - (* Advanced *)
    destruct ps as [|p0 ps0]; [discriminate|]. cbn [cost] in H. set (ps := p0 :: ps0) in *.
    destruct (takes_advanced m0) eqn:T; [|discriminate]. destruct (above_0 slack) eqn:S1; [|discriminate]. destruct (above_0 (1 - slack)) eqn:S2; [|discriminate].
    cbn [andb] in H. apply above_0_R in S1, S2. rewrite Q2R_minus, Q2R_1 in S2.
    destruct (all_of_measure m0 (map (fun p => cost md p fs d) ps)) as [ls|] eqn:C; [|discriminate].
    destruct (advanced md m0 slack ls) as [k|] eqn:Ad; [|discriminate]. injection H as <- <-. apply all_of_measure_ok in C.
    assert (Nl : Forall nonneg_loss ls /\ (forall x y, known fs (Q2R d) x y -> Forall2 (fun M l => meets m0 (M x) (M y) (real m0 l)) (map (denote (I := I)) ps) ls) /\
      (forall x y, known fs 0 x y -> Forall (fun M => same (M x) (M y)) (map (denote (I := I)) ps))).
    { clear Ad Kept Own Kept_below. clearbody ps. revert ls C. induction IH as [|p ps Hp _ IHps]; intros ls C; inversion C as [|c j cs js E1 E2]; subst.
      - repeat split; constructor.
      - destruct (Hp md fs d m0 j Hd E1) as (N & P & Z). destruct (IHps js E2) as (N' & P' & Z').
        split; [now constructor|]. split; intros x y K; simpl; constructor; auto; now apply P. }
    destruct Nl as (N & P & Z). assert (Sl : 0 < Q2R slack < 1) by lra. destruct (advanced_ok N Sl Ad T) as [Nk A]. split; [exact Nk|]. split; intros x y K.
    + unfold close. change (denote (Tree (Advanced m0 slack) ps)) with (fun d : data => bind (all (map (denote (I := I)) ps) d) (fun l => ret (Several l))).
      apply (div_post (ms := meets MApprox)). apply A; apply P; [exact K | now apply known_sym].
    + change (denote (Tree (Advanced m0 slack) ps)) with (fun d : data => bind (all (map (denote (I := I)) ps) d) (fun l => ret (Several l))).
      apply same_bind; [|auto]. apply compose_same. now apply Z.
  - (* Group *)
    destruct ps as [|p [|]]; try discriminate. inversion IH as [|u v Hp _]; subst. cbn [cost] in H.
    destruct (step_facts fs) as [gs|] eqn:S; [|discriminate]. destruct (of_measure m0 (cost md p gs 1)) as [k|] eqn:C; [|discriminate].
    cbn [lift_to] in H. destruct (lifted m0 d k) as [j|] eqn:L; [|discriminate]. injection H as <- <-. apply of_measure_ok in C.
    assert (H1 : 0 <= Q2R 1) by (rewrite Q2R_1; lra). destruct (Hp md gs 1%Q m0 k H1 C) as (N & P & Z). rewrite Q2R_1 in P.
    destruct (step_facts_ok I S) as (s & Sm & -> & F). exact (lift_sound (n := Tree (Group m0) [p]) Sm F Hd N L P Z).
  - (* ParallelSymmetric *)
    cbn [cost] in H. destruct (has (Part Symmetric) fs) eqn:E1; [|discriminate]. destruct (distinct keys) eqn:E2; [|discriminate].
    destruct (Nat.eqb (length keys) (length ps)) eqn:E3; [|discriminate]. cbn [andb] in H. apply distinct_ok in E2. apply Nat.eqb_eq in E3.
    destruct (all_of_measure m0 _) as [ls|] eqn:C; [|discriminate]. apply all_of_measure_ok in C.
    cbn [lift_to] in H. destruct (lifted m0 d (worst ls)) as [j|] eqn:L; [|discriminate]. injection H as <- <-.
    assert (Mv : forall D ks e a b, known (of_rows fs) e (Parts D ks a : data) (Parts D ks b) -> Forall2 (premise_ok m0 D) ps ls).
    { intros D ks e a b O. clear E3 L Kept Own Kept_below. revert ls C. induction IH as [|p ps Hp _ IHps]; intros ls C; inversion C as [|c k cs kl F1 F2]; subst; constructor.
      - assert (H1 : 0 <= Q2R 1) by (rewrite Q2R_1; lra). destruct (Hp md _ _ _ _ H1 F1) as (N & P & Z). rewrite Q2R_1 in P.
        split; [exact N|]. split; intros u v S; [apply P | apply Z]; (apply Forall_cons; [split; [reflexivity | exact S] | apply (of_parts_again _ _ _ O)]).
      - now apply IHps. }
    split; [exact (proj1 (@lifted_ok m0 d _ j Hd (worst_nonneg ls) L))|].
    split; intros x y K; pose proof (has_ok E1 K) as A; destruct x, y; cbn [apart] in A; try tauto; destruct A as (<- & <- & Nk & A);
    pose proof (Mv _ _ _ _ _ (of_rows_parts K)) as Mv'; unfold close; cbn [denote combined parallel_rule]; (destruct (constants_eqb keys keys0) eqn:Ek;
    [apply constants_eqb_eq in Ek; subst keys0 | ]).
    + apply (group_close (mt := parts_symmetric keys) (M := fun p => bind (parallel (in_part (map (denote (I := I)) ps) keys of) keys p) (fun l => ret (Several l)))
        (whole_parts_symmetric constant_dec E2) Hd (worst_nonneg ls) L); [| | exact A]; intros u v S.
      * apply (div_post (ms := meets m0)). rewrite <- (app_nil_r (map _ ps)). apply (parallel_close _ E2 E3 Mv' S).
      * apply same_bind; [|auto]. rewrite <- (app_nil_r (map _ ps)). apply (parallel_same _ E3 Mv'), (parts_symmetric_0 E2 S).
    + apply nothing_close, (proj1 (@lifted_ok m0 d _ j Hd (worst_nonneg ls) L)).
    + apply same_bind; [|auto]. rewrite <- (app_nil_r (map _ ps)). apply (parallel_same _ E3 Mv'), (parts_symmetric_0 E2 A).
    + apply same_refl.
  - (* ParallelChangeOne *)
    cbn [cost] in H. destruct (has (Part ChangeOne) fs) eqn:E1; [|discriminate]. destruct (distinct keys) eqn:E2; [|discriminate].
    destruct (Nat.eqb (length keys + length keys) (length ps)) eqn:E3; [|discriminate].
    destruct (list_eqb alike (firstn (length keys) ps) (skipn (length keys) ps)) eqn:E4; [|discriminate].
    cbn [andb] in H. apply distinct_ok in E2. apply Nat.eqb_eq in E3.
    set (n := length keys) in *. rewrite firstn_map, skipn_map in H.
    destruct (all_of_measure m0 (map _ (firstn n ps))) as [ls|] eqn:C; [|discriminate]. apply all_of_measure_ok in C.
    destruct (all_of_measure m0 (map _ (skipn n ps))) as [cs|] eqn:C'; [|discriminate]. apply all_of_measure_ok in C'.
    cbn [lift_to] in H. set (w := worst (worst_two ls :: cs)) in *.
    destruct (lifted m0 d w) as [j|] eqn:L; [|discriminate]. injection H as <- <-.
    assert (Nw : nonneg_loss w) by apply worst_nonneg.
    assert (I1 : Forall sound (firstn n ps) /\ Forall sound (skipn n ps)).
    { rewrite Forall_forall in IH. split; rewrite Forall_forall; intros p J; apply IH.
      - rewrite <- (firstn_skipn n ps). apply in_or_app; now left.
      - rewrite <- (firstn_skipn n ps). apply in_or_app; now right. }
    destruct I1 as [IF IS]. assert (LF : length (firstn n ps) = n) by (rewrite firstn_length; lia).
    assert (H1 : 0 <= Q2R 1) by (rewrite Q2R_1; lra).
    assert (Mv : forall D ks e a b, known (of_rows fs) e (Parts D ks a : data) (Parts D ks b) ->
      Forall2 (premise_ok m0 D) (firstn n ps) ls /\ Forall2 (changed_ok m0 D) (firstn n ps) cs).
    { intros D ks e a b O. split.
      - clear -C IF O H1. revert ls C. induction IF as [|p qs Hp _ IHps]; intros ls C; inversion C as [|c k cs kl F1 F2]; subst; constructor; [|now apply IHps].
        destruct (Hp md _ _ _ _ H1 F1) as (N & P & Z). rewrite Q2R_1 in P.
        split; [exact N|]. split; intros u v S; [apply P | apply Z]; (apply Forall_cons; [split; [reflexivity | exact S] | apply (of_parts_again _ _ _ O)]).
      - clear -C' IS O H1 E4. revert cs C' E4. generalize (firstn n ps). induction IS as [|p qs Hp _ IHps]; intros xs cs C' E4;
        inversion C' as [|c k cs' kl F1 F2]; subst; (destruct xs as [|x xs]; try discriminate); constructor; simpl in E4; apply andb_prop in E4; destruct E4 as [A B]; [|now apply IHps].
        destruct (Hp md _ _ _ _ H1 F1) as (N & P & Z). rewrite Q2R_1 in P.
        split; [exact N|]. intros u v S. unfold close. rewrite (alike_ok I _ _ A).
        apply P. apply Forall_cons; [split; [reflexivity | exact S] | apply (of_parts_again _ _ _ O)]. }
    split; [exact (proj1 (@lifted_ok m0 d w j Hd Nw L))|].
    split; intros x y K; pose proof (has_ok E1 K) as A; destruct x, y; cbn [apart] in A; try tauto; destruct A as (<- & <- & Nk & A);
    destruct (Mv _ _ _ _ _ (of_rows_parts K)) as [Mv1 Mv2]; unfold close; cbn [denote combined parallel_rule]; (destruct (constants_eqb keys keys0) eqn:Ek;
    [apply constants_eqb_eq in Ek; subst keys0 | ]).
    + apply (group_close (mt := parts_change_one keys) (M := fun p => bind (parallel (in_part (map (denote (I := I)) ps) keys of) keys p) (fun l => ret (Several l)))
        (whole_parts_change_one constant_dec E2) Hd Nw L); [| | exact A]; intros u v S.
      * apply (div_post (ms := meets m0)). rewrite <- (firstn_skipn n ps), map_app.
        apply (parallel_change_close _ E2 (eq_sym LF) Mv1 Mv2 S).
      * apply same_bind; [|auto]. rewrite <- (firstn_skipn n ps), map_app.
        apply (parallel_same _ (eq_sym LF) Mv1), (parts_change_one_0 E2 S).
    + apply nothing_close, (proj1 (@lifted_ok m0 d w j Hd Nw L)).
    + apply same_bind; [|auto]. rewrite <- (firstn_skipn n ps), map_app. apply (parallel_same _ (eq_sym LF) Mv1), (parts_change_one_0 E2 A).
    + apply same_refl.
  - (* Jointly *)
    cbn [cost] in H. destruct (starts_in source fs) eqn:E1; [|discriminate]. destruct (forallb nonnegs joint) eqn:E2; [|discriminate].
    match type of H with (if _ && ?c then _ else _) = _ => destruct c; [|discriminate] end. cbn [andb] in H. apply starts_in_ok in E1. destruct E1 as [S F].
    destruct (by_part (cost md) m0 (one_step source fs) ps joint) as [columns|] eqn:C; [|discriminate].
    cbn [lift_to] in H. set (w := worst (map (together md) (by_vector joint columns))) in *.
    destruct (lifted m0 d w) as [k|] eqn:Lk; [|discriminate]. injection H as <- <-.
    pose proof (by_part_ok IH Kept_below E2 C) as Fo.
    apply (lift_sound (n := Tree (Jointly m0 joint source) ps) S F Hd (worst_nonneg _) Lk); intros x y K.
    + unfold close. change (denote (Tree (Jointly m0 joint source) ps)) with (fun d : data => bind (all (parts denote ps) d) (fun l => ret (Several l))).
      apply (div_post (ms := meets m0)). destruct (jointly_close (D := divergence_of m0) Fo Own K) as (ls & J & Cl).
      apply (div_le (ms := meets m0)) with (2 := Cl). apply le_trans with (1 := together_ok m0 md ls). apply real_le, worst_ge, in_map, J.
    + change (denote (Tree (Jointly m0 joint source) ps)) with (fun d : data => bind (all (parts denote ps) d) (fun l => ret (Several l))).
      apply same_bind; [|auto]. exact (jointly_same Fo Own K).
  - (* Adaptive *)
    destruct ps; [|discriminate]. cbn [cost] in H. destruct (starts_in source fs) eqn:E1; [|discriminate].
    destruct (nonnegs (map fst losses)) eqn:E2; [|discriminate]. destruct (nonnegs (map snd losses)) eqn:E3; [|discriminate].
    destruct (Nat.eqb (length losses) (length choices)) eqn:E4; [|discriminate]. cbn [andb lift_to] in H. apply Nat.eqb_eq in E4.
    destruct (lifted m0 d (together md losses)) as [k|] eqn:Lk; [|discriminate]. injection H as <- <-.
    apply starts_in_ok in E1. destruct E1 as [S F]. apply nonnegs_ok in E2, E3.
    assert (N : nonneg_loss (together md losses)) by (split; now apply total_nonneg).
    assert (As : length (map (real m0) losses) = length choices) by now rewrite map_length.
    apply (lift_sound (n := Tree (Adaptive m0 losses choices source) []) S F Hd N Lk); intros x y K; inversion K as [|f fs' K' _]; subst.
    + apply (div_le (ms := meets m0)) with (1 := together_ok m0 md losses). exact (staged_close (D := divergence_of m0) As Own K').
    + exact (staged_same As Own K').
Qed.
End Sound.
