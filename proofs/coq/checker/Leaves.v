(** * Measurements: what one costs

    [cost_rule r fs d] is the measure and the loss of a rule without premises, between data of which the facts [fs] are known, at a
    distance of [d]. *)
From Coq Require Import String List ZArith QArith Qround Qreals Reals Lra Lia Bool Psatz.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Norms Steps Powers Renyi Laplace Gaussian Choice
  PermuteAndFlip BoundedRange ExponentialPure ThresholdRelease PublishedRows.
From DPcore Require LocalModel.
From DPchecker Require Import Spread Language Ordered Meaning Numbers Exponentials Distances Losses Grouped Facts Grids AboveThresholdSound.
Import ListNotations.
Set Implicit Arguments.
Unset Strict Implicit.

Definition above_0 (q : Q) : bool := Qlt_bool 0 q.

Definition is_sized_of (n : positive) (f : fact) : bool := match f with Sized k => Pos.eqb n k | _ => false end.

(** exp(-(t-1)/b)/(1 + exp(-1/b)), from above. *)
Definition tail_above (scale : Q) (t : Z) : option Q :=
  let below := exp_below (Qred (inject_Z (t - 1) / scale)) in
  if above_0 below then
    match exp_above (Qred (1 / scale)) with
    | Some above => if above_0 above then Some (/ below / (1 + / above))%Q else None
    | None => Some (/ below)%Q
    end
  else None.

Definition cost_rule (r : rule) (fs : list fact) (d : Q) : option (measure * loss) :=
  match r with
  | Laplace scale h =>
      if (has Absolute fs || has L1 fs) && above_0 scale && above_0 h then Some (MPure, single (d / scale)) else None
  | Gaussian false variance h =>
      if has Absolute fs && above_0 variance && above_0 h then Some (MZcdp, single (d * d / (inject_Z 2 * variance))) else None
  | Gaussian true variance h =>
      if has L2 fs && above_0 variance && above_0 h then Some (MZcdp, single (d / (inject_Z 2 * variance))) else None
  | RandomizedResponse answers k p =>
      if has Discrete fs && distinct answers && Pos.eqb (Pos.of_nat (length answers)) k && Nat.leb 2 (length answers)
        && Qle_bool 1 (p * (Zpos k # 1)) && Qlt_bool p 1 then
        match log_above (p * ((Zpos k # 1) - 1) / (1 - p)) with
        | Some l => Some (MPure, single ((if Qle_bool d 1 then d else 1) * Qmax0 l)) | None => None end
      else None
  | UnaryEncoding answers k p q =>
      if has Discrete fs && distinct answers && Qlt_bool 0 q && Qlt_bool q p && Qlt_bool p 1 then
        match log_above (p * (1 - q) / (q * (1 - p))) with
        | Some l => Some (MPure, single ((if Qle_bool d 1 then d else 1) * Qmax0 l)) | None => None end
      else None
  | HadamardResponse answers k p =>
      if has Discrete fs && Qle_bool 1 (p * 2) && Qlt_bool p 1 then
        match log_above (p / (1 - p)) with
        | Some l => Some (MPure, single ((if Qle_bool d 1 then d else 1) * Qmax0 l)) | None => None end
      else None
  | RandomRow n =>
      if has ChangeOne fs && existsb (is_sized_of n) fs then Some (MApprox, (0, Qred (d / (Zpos n # 1)))%Q) else None
  | NameAndShame delta =>
      if has ChangeOne fs && Qle_bool 0 delta && Qle_bool delta 1 then Some (MTotalVariation, single (d * delta)) else None
  | Spread s n h =>
      if (has Absolute fs || has L1 fs) && above_0 h then Some (MTotalVariation, single (Qmin 1 (d / (h * (Zpos (wide (line_of s) n) # 1))))) else None
  | ThresholdRelease _ scale t =>
      if has Symmetric fs && above_0 scale && Z.leb 2 t then
        match tail_above scale t with
        | Some h => match lifted_pair d (Qred (1 / scale), h) with Some l => Some (MApprox, l) | None => None end
        | None => None end
      else None
  | PermuteAndFlip LInf scale => if has LInf fs && above_0 scale then Some (MPure, single (inject_Z 2 * d / scale)) else None
  | PermuteAndFlip Range scale => if has Range fs && above_0 scale then Some (MPure, single (d / scale)) else None
  | Exponential LInf scale =>
      if has LInf fs && above_0 scale then let e := (inject_Z 2 * d / scale)%Q in Some (MZcdp, single (e * e / inject_Z 8)) else None
  | Exponential Range scale =>
      if has Range fs && above_0 scale then let e := (d / scale)%Q in Some (MZcdp, single (e * e / inject_Z 8)) else None
  | ExponentialPure LInf scale => if has LInf fs && above_0 scale then Some (MPure, single (inject_Z 2 * d / scale)) else None
  | ExponentialPure Range scale => if has Range fs && above_0 scale then Some (MPure, single (d / scale)) else None
  | AboveThreshold LInf _ bT bQ hits =>
      if has LInf fs && above_0 bT && above_0 bQ then Some (MPure, single (d / bT + inject_Z 2 * (Zpos hits # 1) * d / bQ)) else None
  | AboveThreshold Range _ bT bQ hits =>
      if has Range fs && above_0 bT && above_0 bQ then Some (MPure, single (d / bT + (Zpos hits # 1) * d / bQ)) else None
  | _ => None
  end.

(** ** What it says is true *)
Open Scope R_scope.
Section Sound.
Variable I : interpretation.
Notation data := (data I).
Variable pt : R.                      (* the point of a curve, of which there is none here *)

(** Noise on a grid. *)
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

Lemma nothing_close m l : nonneg_loss l -> meets m pt (ret (@Nothing (users I))) (ret Nothing) (real m l).
Proof. intros N. apply meets_same_loss; auto. Qed.

Lemma above_0_R q : above_0 q = true -> 0 < Q2R q.
Proof. intros H; apply Qlt_bool_R in H. now rewrite Q2R_0 in H. Qed.

Lemma noised_number m h noise D l x y : nonneg_loss l ->
  (forall a b, absolute (Q2R h) D a b -> meets m pt (noise a) (noise b) (real m l)) ->
  apart Absolute D x y -> meets m pt (noised h noise x : dist (released (users I))) (noised h noise y) (real m l).
Proof.
  intros N H K. destruct x, y; cbn [apart] in K; try tauto; destruct K as [<- K]. cbn [noised].
  destruct (times g h) as [k|] eqn:T; [|now apply nothing_close]. apply meets_post, H, (absolute_times T K).
Qed.
Lemma noised_vector m h noise D l x y : nonneg_loss l ->
  (forall a b, l1 (Q2R h) D a b -> meets m pt (noisy noise a) (noisy noise b) (real m l)) ->
  apart L1 D x y -> meets m pt (noised h noise x : dist (released (users I))) (noised h noise y) (real m l).
Proof.
  intros N H K. destruct x, y; cbn [apart] in K; try tauto; destruct K as [<- K]. cbn [noised].
  destruct (times g h) as [k|] eqn:T; [|now apply nothing_close]. apply meets_post, H, (vectors_times T K).
Qed.
Lemma noised_vector2 m h noise D l x y : nonneg_loss l ->
  (forall a b, l2 (Q2R h) D a b -> meets m pt (noisy noise a) (noisy noise b) (real m l)) ->
  apart L2 D x y -> meets m pt (noised h noise x : dist (released (users I))) (noised h noise y) (real m l).
Proof.
  intros N H K. destruct x, y; cbn [apart] in K; try tauto; destruct K as [<- K]. cbn [noised].
  destruct (times g h) as [k|] eqn:T; [|now apply nothing_close]. apply meets_post, H, (vectors_times T K).
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

(** A choice among candidates. *)
Lemma chosen_close m way mm D l x y : nonneg_loss l -> match mm with LInf | Range => True | _ => False end ->
  (forall n g a b, length a = n -> apart mm D (Vector g a : data) (Vector g b) -> meets m pt (way n (Q2R g) a) (way n (Q2R g) b) (real m l)) ->
  apart mm D x y -> meets m pt (chosen way x : dist (released (users I))) (chosen way y) (real m l).
Proof.
  intros N M H K. assert (L : exists g a b, x = Vector g a /\ y = Vector g b /\ length a = length b).
  { destruct mm; try tauto; destruct x, y; cbn [apart] in K; try tauto; destruct K as [<- [L _]]; eauto 6. }
  destruct L as (g & a & b & -> & -> & L). cbn [chosen]. destruct (Qlt_bool 0 g); [|now apply nothing_close].
  rewrite <- L. apply meets_post. now apply H.
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

(** A distance of 0 or 1, and a loss that is at least 0. *)
Lemma capped d lg : 0 <= Q2R d -> nonneg_loss (single ((if Qle_bool d 1 then d else 1) * Qmax0 lg)) /\
  forall x, x <= Q2R lg -> Rmin (Q2R d) 1 * x <= Q2R ((if Qle_bool d 1 then d else 1) * Qmax0 lg).
Proof.
  intros Hd. set (q := (if Qle_bool d 1 then d else 1)%Q).
  assert (Hq : 0 <= Q2R q /\ Rmin (Q2R d) 1 <= Q2R q).
  { unfold q. destruct (Qle_bool d 1); [split; [exact Hd | apply Rmin_l] | rewrite Q2R_1; split; [lra | apply Rmin_r]]. }
  assert (V : Q2R (q * Qmax0 lg) = Q2R q * Rmax 0 (Q2R lg)) by (unfold Qmax0; now rewrite Q2R_mult, Q2R_max, Q2R_0).
  pose proof (Rmax_l 0 (Q2R lg)). pose proof (Rmax_r 0 (Q2R lg)). split.
  - apply single_nonneg. rewrite V. apply Rmult_le_pos; tauto.
  - intros x Hx. rewrite V. apply Rle_trans with (Rmin (Q2R d) 1 * Rmax 0 (Q2R lg)).
    + apply Rmult_le_compat_l; [apply Rmin_glb; lra | lra].
    + apply Rmult_le_compat_r; tauto.
Qed.

Lemma cost_rule_ok r fs d m l : 0 <= Q2R d -> cost_rule r fs d = Some (m, l) -> nonneg_loss l /\
  (forall x y : data, known fs (Q2R d) x y -> meets m pt (measure_rule r x) (measure_rule r y) (real m l)) /\
  (forall x y : data, known fs 0 x y -> same (measure_rule r x) (measure_rule r y)).
Proof.
  intros Hd. destruct r; try discriminate; cbn [cost_rule].
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
    split; [exact N|]. cbn [measure_rule]. split; intros x y Kn; apply (has_ok E) in Kn; destruct x, y; cbn [apart] in Kn; try tauto; try apply same_refl;
      try (cbn [meets]; apply (div_le (ms := pure)) with zero; [exact (proj1 N) | apply (div_same (ms := pure)), same_refl]); rewrite Rn.
    + apply meets_post. apply Hd' in Kn.
      assert (D' : on (fun x => In x answers) discrete (Q2R q) (among answers c) (among answers c0)).
      { split; [apply In_|]. split; [apply In_|]. destruct Kn as [K0 [->|K1]]; split; auto. }
      pose proof (@randomized_response_linear constant constant_dec answers (Q2R p) E1 A (conj B C) _ _ _ D') as P. cbn [meets real single fst]. rewrite Q2R_red, V.
      apply (div_le (ms := pure)) with (2 := P). simpl. apply Rmult_le_compat_l; [exact Hq|]. eapply Rle_trans; [exact L | apply Rmax_r].
    + destruct Kn as [_ [->|Kn]]; [apply same_refl | lra].
  - (* UnaryEncoding *)
    destruct (has Discrete fs) eqn:E; [|discriminate]. destruct (distinct answers) eqn:E1; [|discriminate].
    destruct (Qlt_bool 0 q) eqn:E2; [|discriminate]. destruct (Qlt_bool q p) eqn:E3; [|discriminate]. destruct (Qlt_bool p 1) eqn:E4; [|discriminate]. cbn [andb].
    destruct (log_above _) as [lg|] eqn:L; [|discriminate]. intros H; injection H as <- <-. apply distinct_ok in E1.
    apply Qlt_bool_R in E2, E3, E4. rewrite Q2R_0 in E2. rewrite Q2R_1 in E4. apply log_above_ok in L. destruct L as [_ L].
    assert (D : 0 < Q2R q * (1 - Q2R p)) by (apply Rmult_lt_0_compat; lra).
    rewrite Q2R_div, !Q2R_mult, !Q2R_minus, Q2R_1 in L by (apply Qnonzero_R; rewrite Q2R_mult, Q2R_minus, Q2R_1; lra).
    destruct (@capped d lg Hd) as [N Cap]. split; [exact N|]. cbn [measure_rule].
    split; intros x y Kn; apply (has_ok E) in Kn; destruct x, y; cbn [apart] in Kn; try tauto; try apply same_refl;
      try (cbn [meets]; apply (div_le (ms := pure)) with zero; [exact (proj1 N) | apply (div_same (ms := pure)), same_refl]).
    + apply meets_post. assert (R' : 0 < Q2R q <= Q2R p /\ Q2R p < 1) by lra.
      pose proof (LocalModel.unary_encoding constant_dec E1 R' Kn) as P. cbn [meets real single fst]. rewrite Q2R_red.
      apply (div_le (ms := pure)) with (2 := P). simpl. now apply Cap.
    + destruct Kn as [_ [->|Kn]]; [apply same_refl | lra].
  - (* HadamardResponse *)
    destruct (has Discrete fs) eqn:E; [|discriminate]. destruct (Qle_bool 1 (p * 2)) eqn:E2; [|discriminate].
    destruct (Qlt_bool p 1) eqn:E4; [|discriminate]. cbn [andb].
    destruct (log_above _) as [lg|] eqn:L; [|discriminate]. intros H; injection H as <- <-.
    apply Qle_R in E2. apply Qlt_bool_R in E4. rewrite Q2R_mult, Q2R_1 in E2. rewrite Q2R_1 in E4.
    replace (Q2R 2) with 2 in E2 by (unfold Q2R; simpl; lra). apply log_above_ok in L. destruct L as [_ L].
    rewrite Q2R_div, Q2R_minus, Q2R_1 in L by (apply Qnonzero_R; rewrite Q2R_minus, Q2R_1; lra).
    destruct (@capped d lg Hd) as [N Cap]. split; [exact N|]. cbn [measure_rule].
    split; intros x y Kn; apply (has_ok E) in Kn; destruct x, y; cbn [apart] in Kn; try tauto; try apply same_refl;
      try (cbn [meets]; apply (div_le (ms := pure)) with zero; [exact (proj1 N) | apply (div_same (ms := pure)), same_refl]).
    + apply meets_post. assert (R' : / 2 <= Q2R p < 1) by lra.
      pose proof (LocalModel.hadamard_response constant_dec (@rows_some answers) (one_of_matrix answers) R' Kn) as P.
      cbn [meets real single fst]. rewrite Q2R_red. apply (div_le (ms := pure)) with (2 := P). simpl. now apply Cap.
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
  - (* ExponentialPure *)
    destruct m0; try discriminate; intros H; match type of H with (if ?c && _ then _ else _) = _ => destruct c eqn:E; [|discriminate] end;
    (destruct (above_0 scale) eqn:E1; [|discriminate]); injection H as <- <-; apply above_0_R in E1; apply Qnonzero_R in E1 as E2.
    + assert (V : Q2R (Qred (inject_Z 2 * d / scale)) = 2 * Q2R d / Q2R scale) by (now rewrite Q2R_red, Q2R_div, Q2R_mult, Q2R_Z).
      assert (N : nonneg_loss (single (inject_Z 2 * d / scale))) by (apply single_nonneg; rewrite <- Q2R_red, V; apply quotient_nonneg; lra).
      split; [exact N|]. cbn [measure_rule]. split; intros x y K; apply (has_ok E) in K.
      * apply (@chosen_close MPure _ LInf (Q2R d)); [exact N | exact Logic.I | | exact K]. intros n g a b L J. cbn [meets real single fst]. rewrite V.
        unfold drawn. destruct (lt_dec 0 n); [|apply (div_le (ms := pure)) with zero; [apply quotient_nonneg; lra | apply (div_same (ms := pure)), same_refl]].
        destruct J as [_ J]. exact (exponential_pure_linf E1 _ J).
      * apply (@chosen_same _ LInf); [exact Logic.I | exact K].
    + assert (V : Q2R (Qred (d / scale)) = Q2R d / Q2R scale) by (now rewrite Q2R_red, Q2R_div).
      assert (N : nonneg_loss (single (d / scale))) by (apply single_nonneg; rewrite <- Q2R_red, V; apply quotient_nonneg; lra).
      split; [exact N|]. cbn [measure_rule]. split; intros x y K; apply (has_ok E) in K.
      * apply (@chosen_close MPure _ Range (Q2R d)); [exact N | exact Logic.I | | exact K]. intros n g a b L J. cbn [meets real single fst]. rewrite V.
        unfold drawn. destruct (lt_dec 0 n); [|apply (div_le (ms := pure)) with zero; [apply quotient_nonneg; lra | apply (div_same (ms := pure)), same_refl]].
        destruct J as [_ J]. exact (exponential_pure_range E1 _ J).
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
    destruct (lifted_pair d (Qred (1 / scale), h)) as [k|] eqn:L; [|discriminate]. intros H; injection H as <- <-.
    apply above_0_R in E1. apply Z.leb_le in E2. destruct (tail_above_ok E1 T) as [H0 Hh].
    assert (V : Q2R (Qred (1 / scale)) = 1 / Q2R scale) by (rewrite Q2R_red, Q2R_div, Q2R_1; [reflexivity | now apply Qnonzero_R]).
    assert (N : nonneg_loss (Qred (1 / scale), h)) by (split; cbn [fst snd]; [rewrite V; apply quotient_nonneg; lra | exact H0]).
    destruct (lifted_pair_ok Hd N L) as [Nk Lk].
    assert (Fr : exists A, forall key, @frequent I key (Q2R scale) at_least = @ThresholdRelease.released (row I) constant constant_dec (before I) key (Q2R scale) at_least A).
    { unfold frequent. destruct (Rlt_dec 0 (Q2R scale)); [eauto | lra]. }
    destruct Fr as [A Fr].
    assert (P : private symmetric approx (@frequent I (class I by_) (Q2R scale) at_least)
      (fun d => (d * (1 / Q2R scale), hidden (Q2R scale) at_least * geometric d (1 / Q2R scale)))).
    { rewrite Fr. apply threshold_release; [apply before_irrefl | apply before_trans | apply before_total | exact E2]. }
    split; [exact Nk|]. cbn [measure_rule]. split; intros x y Kn; apply (has_ok E) in Kn; destruct (apart_rows Kn Logic.I) as (D & a & b & -> & ->);
    destruct Kn as [_ Kn].
    + apply meets_post. apply P in Kn. cbn [meets real].
      apply (div_le (ms := approx)) with (2 := Kn). cbn [real group groups_approx fst snd] in Lk. simpl in Lk |- *. rewrite V in Lk.
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
    + apply meets_post. cbn [meets real single fst]. rewrite Q2R_red, Q2R_mult. now apply P.
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
    + apply meets_post. unfold meets, approx, real. cbn [fst snd]. rewrite Q2R_0, V.
      exact (@random_row _ (Pos.to_nat size) ltac:(lia) _ _ _ (conj La (conj Lb Kc))).
    + apply same_bind; [|auto].
      apply same_of_ind; [pose proof (@random_row _ (Pos.to_nat size) ltac:(lia) _ _ _ (conj La (conj Lb Kc))) as P
        | pose proof (@random_row _ (Pos.to_nat size) ltac:(lia) _ _ _ (conj Lb (conj La (within_sym _ _ _ _ Kc)))) as P];
      unfold approx in P; cbn [fst snd] in P; unfold Rdiv in P; now rewrite Rmult_0_l in P.
  - (* Spread *)
    destruct (has Absolute fs || has L1 fs)%bool eqn:E; [|discriminate]. destruct (above_0 step) eqn:E1; [|discriminate]. cbn [andb].
    intros H; injection H as <- <-. apply above_0_R in E1. destruct (@spread_private s n _ E1) as [PA PV]. set (w := wide (line_of s) n) in *.
    assert (W : 0 < Q2R step * IZR (Zpos w)) by (apply Rmult_lt_0_compat; [exact E1 | apply (IZR_lt 0); lia]).
    assert (V : Q2R (Qmin 1 (d / (step * (Zpos w # 1)))) = Rmin 1 (Q2R d / (Q2R step * IZR (Zpos w)))).
    { rewrite Q2R_min, Q2R_1, Q2R_div, Q2R_mult, Q2R_pos; [reflexivity|]. apply Qnonzero_R. now rewrite Q2R_mult, Q2R_pos. }
    assert (N : nonneg_loss (single (Qmin 1 (d / (step * (Zpos w # 1)))))).
    { apply single_nonneg. rewrite V. apply Rmin_glb; [lra | now apply quotient_nonneg]. }
    split; [exact N|]. apply orb_prop in E. cbn [measure_rule]. split; intros x y K; (destruct E as [E|E]; apply (has_ok E) in K).
    + apply (noised_number (D := Q2R d)); [exact N | | exact K]. intros a b J. cbn [meets real single fst]. rewrite Q2R_red, V. exact (PA _ _ _ J).
    + apply (noised_vector (D := Q2R d)); [exact N | | exact K]. intros a b J. cbn [meets real single fst]. rewrite Q2R_red, V. exact (PV _ _ _ J).
    + apply same_of_eq, (@noised_same Absolute); [exact Logic.I | exact K].
    + apply same_of_eq, (@noised_same L1); [exact Logic.I | exact K].
Qed.
End Sound.
