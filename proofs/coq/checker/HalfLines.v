(** * Half-lines of Gaussian weights, in whole multiples of 2^-n

    b(z) is exp(-z^2/(2v)). Terms b(m), b(m + 1), ... over b(m) begin with 1; each is the one before it times a factor, and
    each factor is the one before it times exp(-1/v). All are rounded to the side that is asked for. *)
From Coq Require Import ZArith QArith Qround Qreals Reals Lra Lia Psatz Bool.
From DPcore Require Import Distributions Indistinguishability Integers Theta.
From DPchecker Require Import Numbers Exponentials FixedPoint.
Open Scope R_scope.
Set Implicit Arguments.

(** The sum so far and the next term in units of 2^-n; its factor, and what that is times next, in units of 2^-bits; and
    how many terms are wanted: below 0, all. *)
Record walk := { bits : Z; ratio : Z; factor : Z; total : Z; next : Z; wanted : Z }.

(** A small term needs few bits of its factor. *)
Definition step (up : bool) (w : walk) : walk :=
  let p := bits w in let t := times up p (next w) (factor w) in let a := times up p (factor w) (ratio w) in
  let s := (total w + next w)%Z in let l := (wanted w - 1)%Z in
  if Z.ltb (Z.log2 t + 32) p
  then {| bits := p - 8; ratio := trim up 8 (ratio w); factor := trim up 8 a; total := s; next := t; wanted := l |}
  else {| bits := p; ratio := ratio w; factor := a; total := s; next := t; wanted := l |}.

(** At most 2^d steps, until no more are wanted or the term is at most [least]. *)
Fixpoint steps (up : bool) (least : Z) (d : nat) (w : walk) : walk :=
  match d with
  | O => step up w
  | S d =>
      let w := steps up least d w in
      if Z.eqb (wanted w) 0 then w else if Z.leb (next w) least then w else steps up least d w
  end.

(** How many bits v has. *)
Definition size (v : Q) : Z := Z.log2 (Qfloor v).

(** So many terms from m in units of [b(m) 2^-n]; q is exp(-1/v), rounded to the same side. *)
Definition walked (up : bool) (n q : Z) (v : Q) (m count : Z) : walk :=
  steps up (2 ^ (size v / 2 + 5)) (Z.to_nat (size v / 2 + 6))
    {| bits := n; ratio := q; factor := exp_minus up n (inject_Z (2 * m + 1) / (2 * v)); total := 0; next := 2 ^ n; wanted := count |}.

(** What is not walked is at most the next term over 1 - its factor. *)
Definition total_above (w : walk) : option Z :=
  let d := (2 ^ bits w - factor w)%Z in
  if Z.eqb (wanted w) 0 then Some (total w) else if Z.ltb 0 d then Some (total w + (next w * 2 ^ bits w / d + 1))%Z else None.
Definition total_below (w : walk) : Z := if Z.leb 0 (wanted w) then total w else 0%Z.

Definition half_below (n q : Z) (v : Q) (m : Z) : Z := total (walked false n q v m (-1)).
Definition half_above (n q : Z) (v : Q) (m : Z) : option Z := total_above (walked true n q v m (-1)).
Definition part_below (n q : Z) (v : Q) (m count : Z) : Z := total_below (walked false n q v m count).
Definition part_above (n q : Z) (v : Q) (m count : Z) : option Z := total_above (walked true n q v m count).

(** ** Proof *)
Section Walk.
Variables (v : Q) (n m : Z).
Hypothesis v_pos : 0 < Q2R v.
Hypothesis n_nonneg : (0 <= n)%Z.
Hypothesis m_nonneg : (0 <= m)%Z.
Notation c := (/ (2 * Q2R v)).
Notation b := (bell c 0).
Notation half := (half_line c).

Lemma c_positive : 0 < c. Proof. apply Rinv_0_lt_compat; lra. Qed.

Definition safe_ratio (up : bool) (q : Z) : Prop := (0 <= q)%Z /\ safe up (exp (- (2 * c))) (units n q).

(** w has come to the term j, of those before [last]. *)
Definition at_term (up : bool) (last j : Z) (w : walk) : Prop :=
  (m <= j /\ j + wanted w = last)%Z /\
  (0 <= bits w /\ 0 <= ratio w /\ 0 <= factor w /\ 0 <= total w /\ 0 <= next w)%Z /\
  safe up (exp (- (2 * c))) (units (bits w) (ratio w)) /\ safe up (exp (- (c * (2 * IZR j + 1)))) (units (bits w) (factor w)) /\
  safe up ((half m - half j) / b m) (units n (total w)) /\ safe up (b j / b m) (units n (next w)).

Lemma step_ok up last j w : at_term up last j w -> at_term up last (j + 1) (step up w).
Proof.
  intros ((M & J) & (P & R & F & S0 & N) & Xr & Xf & Xt & Xn). pose proof (bell_pos c 0 m) as B. pose proof (bell_pos c 0 j) as Bj.
  assert (Q : 0 <= b j / b m) by (left; now apply Rdiv_lt_0_compat).
  destruct (@times_ok up (bits w) n (next w) (factor w) _ _ P n_nonneg N F Q (Rlt_le _ _ (exp_pos _)) Xn Xf) as [T0 T].
  destruct (@times_ok up (bits w) (bits w) (factor w) (ratio w) _ _ P P F R (Rlt_le _ _ (exp_pos _)) (Rlt_le _ _ (exp_pos _)) Xf Xr) as [A0 A].
  rewrite <- exp_plus in A.
  replace (- (c * (2 * IZR j + 1)) + - (2 * c)) with (- (c * (2 * IZR (j + 1) + 1))) in A by (rewrite plus_IZR; ring).
  replace (b j / b m * exp _) with (b (j + 1) / b m) in T by (rewrite bell_next; unfold Rdiv; ring).
  assert (S : safe up ((half m - half (j + 1)) / b m) (units n (total w + next w))).
  { rewrite units_plus. replace ((half m - half (j + 1)) / b m) with ((half m - half j) / b m + b j / b m)
      by (rewrite (half_line_next j c_positive); field; lra). now apply safe_plus. }
  unfold step, at_term. destruct (Z.ltb_spec (Z.log2 (times up (bits w) (next w) (factor w)) + 32) (bits w)) as [L|L];
    cbn [bits ratio factor total next wanted].
  - pose proof (Z.log2_nonneg (times up (bits w) (next w) (factor w))).
    destruct (@trim_ok up (bits w) 8 (ratio w) _ ltac:(lia) R Xr). destruct (@trim_ok up (bits w) 8 _ _ ltac:(lia) A0 A).
    repeat split; auto; lia.
  - repeat split; auto; lia.
Qed.

Lemma steps_ok up last least d : forall j w, at_term up last j w -> exists i, at_term up last i (steps up least d w).
Proof.
  induction d as [|d IH]; intros j w H; cbn [steps]; [exists (j + 1)%Z; now apply step_ok|].
  destruct (IH j w H) as (i & H'). destruct (Z.eqb _ _); [eauto|]. destruct (Z.leb _ _); eauto.
Qed.

Lemma walked_ok up q count : safe_ratio up q -> exists j, at_term up (m + count) j (walked up n q v m count).
Proof.
  intros (R0 & R). pose proof c_positive as Hc. apply IZR_le in m_nonneg as M. assert (nz : ~ (2 * v == 0)%Q).
  { apply Qnonzero_R. rewrite Q2R_mult. unfold Q2R at 1; simpl; lra. }
  assert (E : Q2R (inject_Z (2 * m + 1) / (2 * v)) = c * (2 * IZR m + 1)).
  { rewrite Q2R_div, Q2R_mult, Q2R_Z, plus_IZR, mult_IZR by exact nz. replace (Q2R 2) with 2 by (unfold Q2R; simpl; lra). field. lra. }
  assert (F : up = true -> 0 <= Q2R (inject_Z (2 * m + 1) / (2 * v))) by (intros _; rewrite E; apply Rmult_le_pos; lra).
  destruct (exp_minus_ok n_nonneg F) as [A0 A]. rewrite E in A. apply steps_ok with m. unfold at_term; cbn [bits ratio factor total next wanted].
  repeat split; auto; [lia | lia | apply Z.pow_nonneg; lia | |].
  - replace ((half m - half m) / b m) with (units n 0) by (unfold units, Rdiv; ring). apply safe_refl.
  - rewrite units_one by exact n_nonneg. replace (b m / b m) with 1 by (field; pose proof (bell_pos c 0 m); lra). apply safe_refl.
Qed.

Lemma total_ok last j w : at_term false last j w -> b m * units n (total w) <= half m - half j.
Proof.
  intros (_ & _ & _ & _ & T & _). cbn [safe] in T. pose proof (bell_pos c 0 m) as B.
  apply Rmult_le_compat_l with (r := b m) in T; [|lra]. now replace (b m * ((half m - half j) / b m)) with (half m - half j) in T by (field; lra).
Qed.

Lemma total_below_ok last j w : at_term false last j w -> (m <= last)%Z ->
  (0 <= total_below w)%Z /\ b m * units n (total_below w) <= half m - half last.
Proof.
  intros H L. pose proof (total_ok H) as T. destruct H as ((M & J) & (_ & _ & _ & S & _) & _). unfold total_below.
  destruct (Z.leb_spec 0 (wanted w)) as [W|W]; (split; [lia|]).
  - pose proof (@half_line_falls c j last c_positive ltac:(lia)). lra.
  - pose proof (@half_line_falls c m last c_positive L). unfold units, Rdiv. rewrite Rmult_0_l, Rmult_0_r. lra.
Qed.

Lemma total_above_rest last j w h : at_term true last j w -> wanted w <> 0%Z -> total_above w = Some h -> half m <= b m * units n h.
Proof.
  intros (_ & (P & _ & F & _ & N) & _ & A & T & X) W. cbn [safe] in A, T, X. unfold total_above. set (p := bits w) in *.
  pose proof (bell_pos c 0 m) as B. apply Z.eqb_neq in W. rewrite W.
  destruct (Z.ltb_spec 0 (2 ^ p - factor w)) as [L|]; [|discriminate]. intros H; injection H as <-.
  pose proof (bell_pos c 0 j) as Bj. pose proof (U_pos P) as U. pose proof (half_line_above j c_positive) as G. set (a := exp _) in *.
  set (d := (2 ^ p - factor w)%Z) in *. assert (D : IZR d / IZR (2 ^ p) <= 1 - a).
  { unfold d, units in *. rewrite minus_IZR. unfold Rdiv in *. rewrite Rmult_minus_distr_r, Rinv_r by lra. lra. }
  assert (d0 : 0 < IZR d) by now apply IZR_lt. assert (dU : 0 < IZR d / IZR (2 ^ p)) by now apply Rdiv_lt_0_compat.
  (* what is not walked *)
  assert (R : half j / b m <= units n (next w * 2 ^ p / d + 1)).
  { apply Rle_trans with (units n (next w) * (IZR (2 ^ p) / IZR d)).
    - apply Rle_trans with (b j / b m * (IZR (2 ^ p) / IZR d)).
      + replace (b j / b m * (IZR (2 ^ p) / IZR d)) with (b j / (IZR d / IZR (2 ^ p)) / b m) by (field; lra).
        apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|]. apply Rmult_le_reg_r with (IZR d / IZR (2 ^ p)); [exact dU|].
        replace (b j / (IZR d / IZR (2 ^ p)) * (IZR d / IZR (2 ^ p))) with (b j) by (field; lra). eapply Rle_trans; [|exact G].
        apply Rmult_le_compat_l; [now apply half_line_nonneg, c_positive | exact D].
      + apply Rmult_le_compat_r; [left; now apply Rdiv_lt_0_compat | exact X].
    - pose proof (@div_R (next w * 2 ^ p) d L) as [_ Q]. rewrite mult_IZR in Q. unfold units. rewrite plus_IZR. pose proof (U_pos n_nonneg).
      replace (IZR (next w) / IZR (2 ^ n) * (IZR (2 ^ p) / IZR d)) with (IZR (next w) * IZR (2 ^ p) / IZR d / IZR (2 ^ n)) by (field; lra).
      apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat | lra]. }
  rewrite units_plus.
  replace (half m) with (b m * ((half m - half j) / b m + half j / b m)) by (field; lra). apply Rmult_le_compat_l; lra.
Qed.

Lemma total_above_ok last j w h : at_term true last j w -> total_above w = Some h -> half m - half last <= b m * units n h.
Proof.
  intros H E. destruct (Z.eq_dec (wanted w) 0) as [W|W].
  - unfold total_above in E. rewrite W in E. injection E as <-. destruct H as ((_ & J) & _ & _ & _ & T & _). cbn [safe] in T.
    replace last with j by lia. pose proof (bell_pos c 0 m) as B. apply Rmult_le_compat_l with (r := b m) in T; [|lra].
    now replace (b m * ((half m - half j) / b m)) with (half m - half j) in T by (field; lra).
  - pose proof (total_above_rest H W E). pose proof (half_line_nonneg last c_positive). lra.
Qed.

Lemma half_below_ok q : safe_ratio false q -> (0 <= half_below n q v m)%Z /\ b m * units n (half_below n q v m) <= half m.
Proof.
  intros R. unfold half_below. destruct (walked_ok (-1) R) as (j & H). split; [apply H|].
  eapply Rle_trans; [exact (total_ok H)|]. pose proof (half_line_nonneg j c_positive). lra.
Qed.
Lemma half_above_ok q h : safe_ratio true q -> half_above n q v m = Some h -> half m <= b m * units n h.
Proof.
  intros R. destruct (walked_ok (-1) R) as (j & H). unfold half_above. apply (total_above_rest H). destruct H as ((M & J) & _). lia.
Qed.
Lemma part_below_ok q count : safe_ratio false q -> (0 <= count)%Z ->
  (0 <= part_below n q v m count)%Z /\ b m * units n (part_below n q v m count) <= half m - half (m + count).
Proof. intros R C. destruct (walked_ok count R) as (j & H). apply (total_below_ok H). lia. Qed.
Lemma part_above_ok q count h : safe_ratio true q -> part_above n q v m count = Some h -> half m - half (m + count) <= b m * units n h.
Proof. intros R. destruct (walked_ok count R) as (j & H). exact (total_above_ok H). Qed.
End Walk.

Lemma safe_ratio_exp n v up : (0 <= n)%Z -> 0 < Q2R v -> safe_ratio v n up (exp_minus up n (/ v)).
Proof.
  intros N V. assert (E : Q2R (/ v) = 2 * / (2 * Q2R v)) by (rewrite Q2R_inv by (now apply Qnonzero_R); field; lra).
  pose proof (c_positive V). unfold safe_ratio. rewrite <- E. apply exp_minus_ok; [exact N|]. intros _. rewrite E. lra.
Qed.
