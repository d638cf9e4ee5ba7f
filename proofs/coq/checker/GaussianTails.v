(** * The profile of discrete Gaussian noise, from above

    [gaussian_delta_above k v x] bounds [P(Z > near) - e^x P(Z > far)], near = xv/k - k/2 and far = near + k, for noise of
    variance v, k and v counted in steps.

    With m the first whole number beyond near, and b(z) = exp(-z^2/(2v)), that is the weight of the half-line from m,
    without e^x times that from m + k, over the whole weight. A half-line is b(m) times a sum that begins with 1: each
    term is the one before it times a factor, and each factor is the one before it times exp(-1/v).

      All is in whole multiples of 2^-n, rounded to the side that is asked for. As much as the difference loses, n grows. *)
From Coq Require Import ZArith QArith Qround Qreals Reals Lra Lia Psatz Bool.
From DPcore Require Import Distributions Indistinguishability Integers Theta Gaussian GaussianProfile.
From DPchecker Require Import Numbers Exponentials FixedPoint.
Open Scope R_scope.
Set Implicit Arguments.

(** ** Half-lines *)

(** The sum so far and the next term in units of 2^-n; its factor, and what that is times next, in units of 2^-bits. *)
Record walk := { bits : Z; ratio : Z; factor : Z; total : Z; next : Z }.

(** A small term needs few bits of its factor. *)
Definition step (up : bool) (w : walk) : walk :=
  let p := bits w in let t := times up p (next w) (factor w) in let a := times up p (factor w) (ratio w) in let s := (total w + next w)%Z in
  if Z.ltb (Z.log2 t + 32) p then {| bits := p - 8; ratio := trim up 8 (ratio w); factor := trim up 8 a; total := s; next := t |}
  else {| bits := p; ratio := ratio w; factor := a; total := s; next := t |}.

(** At most 2^d steps, until the term is at most [least]. *)
Fixpoint steps (up : bool) (least : Z) (d : nat) (w : walk) : walk :=
  match d with
  | O => step up w
  | S d => let w := steps up least d w in if Z.leb (next w) least then w else steps up least d w
  end.

(** How many bits v has. *)
Definition size (v : Q) : Z := Z.log2 (Qfloor v).

Definition sum (up : bool) (n : Z) (v : Q) (m : Z) : walk :=
  steps up (2 ^ (size v / 2 + 5)) (Z.to_nat (size v / 2 + 6))
    {| bits := n; ratio := fixed up n (falling up n (/ v)); factor := fixed up n (falling up n (inject_Z (2 * m + 1) / (2 * v)));
       total := 0; next := 2 ^ n |}.

(** The half-line from m in units of [b(m) 2^-n]. What is left of it is at most the next term over 1 - its factor. *)
Definition with_rest (w : walk) : option Z :=
  let left := (2 ^ bits w - factor w)%Z in
  if Z.ltb 0 left then Some (total w + (next w * 2 ^ bits w / left + 1))%Z else None.
Definition half_below (n : Z) (v : Q) (m : Z) : Z := total (sum false n v m).
Definition half_above (n : Z) (v : Q) (m : Z) : option Z := with_rest (sum true n v m).

Section Half.
Variables (v : Q) (n m : Z).
Hypothesis v_pos : 0 < Q2R v.
Hypothesis n_nonneg : (0 <= n)%Z.
Hypothesis m_nonneg : (0 <= m)%Z.
Notation c := (/ (2 * Q2R v)).
Notation b := (bell c 0).
Notation half := (half_line c).

Lemma c_positive : 0 < c. Proof. apply Rinv_0_lt_compat; lra. Qed.

(** w has come to the term j. *)
Definition at_term (up : bool) (j : Z) (w : walk) : Prop :=
  (0 <= bits w /\ 0 <= ratio w /\ 0 <= factor w /\ 0 <= total w /\ 0 <= next w)%Z /\
  safe up (exp (- (2 * c))) (units (bits w) (ratio w)) /\ safe up (exp (- (c * (2 * IZR j + 1)))) (units (bits w) (factor w)) /\
  safe up ((half m - half j) / b m) (units n (total w)) /\ safe up (b j / b m) (units n (next w)).

Lemma ratio_nonneg j : 0 <= b j / b m.
Proof. left; apply Rdiv_lt_0_compat; apply bell_pos. Qed.

Lemma step_ok up j w : at_term up j w -> at_term up (j + 1) (step up w).
Proof.
  intros ((P & R & F & S0 & N) & Xr & Xf & Xt & Xn). pose proof (bell_pos c 0 m) as B. pose proof (bell_pos c 0 j) as Bj.
  destruct (@times_ok up (bits w) n (next w) (factor w) _ _ P n_nonneg N F (ratio_nonneg j) (Rlt_le _ _ (exp_pos _)) Xn Xf) as [T0 T].
  destruct (@times_ok up (bits w) (bits w) (factor w) (ratio w) _ _ P P F R (Rlt_le _ _ (exp_pos _)) (Rlt_le _ _ (exp_pos _)) Xf Xr) as [A0 A].
  rewrite <- exp_plus in A. replace (- (c * (2 * IZR j + 1)) + - (2 * c)) with (- (c * (2 * IZR (j + 1) + 1))) in A by (rewrite plus_IZR; ring).
  replace (b j / b m * exp _) with (b (j + 1) / b m) in T by (rewrite bell_next; unfold Rdiv; ring).
  assert (S : safe up ((half m - half (j + 1)) / b m) (units n (total w + next w))).
  { rewrite units_plus. replace ((half m - half (j + 1)) / b m) with ((half m - half j) / b m + b j / b m)
      by (rewrite (half_line_next j c_positive); field; lra). now apply safe_plus. }
  unfold step, at_term. destruct (Z.ltb_spec (Z.log2 (times up (bits w) (next w) (factor w)) + 32) (bits w)) as [L|L]; cbn [bits ratio factor total next].
  - pose proof (Z.log2_nonneg (times up (bits w) (next w) (factor w))).
    destruct (@trim_ok up (bits w) 8 (ratio w) _ ltac:(lia) R Xr). destruct (@trim_ok up (bits w) 8 _ _ ltac:(lia) A0 A).
    repeat split; auto; lia.
  - repeat split; auto; lia.
Qed.

Lemma steps_ok up least d : forall j w, at_term up j w -> (m <= j)%Z -> exists i, (m <= i)%Z /\ at_term up i (steps up least d w).
Proof.
  induction d as [|d IH]; intros j w H L; cbn [steps].
  - exists (j + 1)%Z. split; [lia | now apply step_ok].
  - destruct (IH j w H L) as (i & L' & H'). destruct (Z.leb _ _); eauto.
Qed.

Lemma sum_ok up : exists j, (m <= j)%Z /\ at_term up j (sum up n v m).
Proof.
  assert (nz : ~ (v == 0)%Q) by now apply Qnonzero_R.
  assert (E1 : Q2R (/ v) = 2 * c) by (rewrite Q2R_inv by exact nz; field; lra).
  assert (E2 : Q2R (inject_Z (2 * m + 1) / (2 * v)) = c * (2 * IZR m + 1)).
  { rewrite Q2R_div, Q2R_mult, Q2R_Z, plus_IZR, mult_IZR by (intros K; apply Qmult_integral in K; destruct K as [K|K]; [discriminate K | now apply nz]).
    replace (Q2R 2) with 2 by (unfold Q2R; simpl; lra). field. lra. }
  pose proof c_positive as Hc. apply IZR_le in m_nonneg as M.
  assert (F1 : up = true -> 0 <= Q2R (/ v)) by (intros _; rewrite E1; lra).
  assert (F2 : up = true -> 0 <= Q2R (inject_Z (2 * m + 1) / (2 * v))) by (intros _; rewrite E2; apply Rmult_le_pos; lra).
  destruct (fixed_ok n_nonneg (falling_ok n_nonneg F1)) as [R0 R]. destruct (fixed_ok n_nonneg (falling_ok n_nonneg F2)) as [A0 A].
  rewrite E1 in R. rewrite E2 in A. apply steps_ok with m; [|lia]. unfold at_term; cbn [bits ratio factor total next].
  repeat split; auto; [lia | apply Z.pow_nonneg; lia | |].
  - replace ((half m - half m) / b m) with (units n 0) by (unfold units, Rdiv; ring). apply safe_refl.
  - rewrite units_one by exact n_nonneg. replace (b m / b m) with 1 by (field; pose proof (bell_pos c 0 m); lra). apply safe_refl.
Qed.

Lemma total_below j w : at_term false j w -> b m * units n (total w) <= half m.
Proof.
  intros (_ & _ & _ & T & _). cbn [safe] in T. pose proof (half_line_nonneg j c_positive). pose proof (bell_pos c 0 m) as B.
  apply Rmult_le_compat_l with (r := b m) in T; [|lra]. replace (b m * ((half m - half j) / b m)) with (half m - half j) in T by (field; lra). lra.
Qed.

Lemma rest_above j w h : at_term true j w -> with_rest w = Some h -> half m <= b m * units n h.
Proof.
  intros ((P & _ & F & _ & N) & _ & A & T & X). cbn [safe] in A, T, X. unfold with_rest. set (p := bits w) in *.
  destruct (Z.ltb_spec 0 (2 ^ p - factor w)) as [L|]; [|discriminate]. intros H; injection H as <-. pose proof (bell_pos c 0 m) as B. pose proof (bell_pos c 0 j) as Bj. pose proof (U_pos P) as U.
  pose proof (half_line_above j c_positive) as G. set (a := exp _) in *.
  apply IZR_lt in L as L'. rewrite minus_IZR in L'. set (d := (2 ^ p - factor w)%Z) in *.
  assert (D : 1 - a >= IZR d / IZR (2 ^ p)).
  { unfold d, units in *. rewrite minus_IZR. replace ((IZR (2 ^ p) - IZR (factor w)) / IZR (2 ^ p)) with (1 - IZR (factor w) / IZR (2 ^ p)) by (field; lra). lra. }
  assert (d0 : 0 < IZR d) by (apply IZR_lt; exact L).
  assert (dU : 0 < IZR d / IZR (2 ^ p)) by now apply Rdiv_lt_0_compat.
  (* what is left *)
  assert (R : half j / b m <= units n (next w * 2 ^ p / d + 1)).
  { apply Rle_trans with (units n (next w) * (IZR (2 ^ p) / IZR d)).
    - apply Rle_trans with (b j / b m * (IZR (2 ^ p) / IZR d)).
      + replace (b j / b m * (IZR (2 ^ p) / IZR d)) with (b j / (IZR d / IZR (2 ^ p)) / b m) by (field; lra).
        apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|]. apply Rmult_le_reg_r with (IZR d / IZR (2 ^ p)); [exact dU|].
        replace (b j / (IZR d / IZR (2 ^ p)) * (IZR d / IZR (2 ^ p))) with (b j) by (field; lra). eapply Rle_trans; [|exact G].
        apply Rmult_le_compat_l; [now apply half_line_nonneg, c_positive | lra].
      + apply Rmult_le_compat_r; [left; now apply Rdiv_lt_0_compat | exact X].
    - pose proof (@div_R (next w * 2 ^ p) d L) as [_ Q]. rewrite mult_IZR in Q. unfold units. rewrite plus_IZR.
      replace (IZR (next w) / IZR (2 ^ n) * (IZR (2 ^ p) / IZR d)) with (IZR (next w) * IZR (2 ^ p) / IZR d / IZR (2 ^ n)) by (field; pose proof (U_pos n_nonneg); lra).
      apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, U_pos, n_nonneg | lra]. }
  rewrite units_plus. replace (half m) with (b m * ((half m - half j) / b m + half j / b m)) by (field; lra).
  apply Rmult_le_compat_l; lra.
Qed.

Lemma half_below_ok : (0 <= half_below n v m)%Z /\ b m * units n (half_below n v m) <= half m.
Proof. unfold half_below. destruct (sum_ok false) as (j & _ & H). split; [apply H | exact (total_below H)]. Qed.
Lemma half_above_ok h : half_above n v m = Some h -> half m <= b m * units n h.
Proof. destruct (sum_ok true) as (j & _ & H). exact (rest_above H). Qed.
End Half.

(** ** The difference, in units of 2^-n of b(m); and what it is of the whole *)

(** k (2m + k)/(2v) - x is how far e^x b(m + k) is below b(m); squares are how far b is below 1. *)
Definition gap (k m : Z) (v x : Q) : Q := inject_Z (k * (2 * m + k)) / (2 * v) - x.
Definition square (m : Z) (v : Q) : Q := inject_Z (m * m) / (2 * v).

Definition difference (n k m : Z) (v x : Q) : option (Z * Q) :=
  if Z.ltb 0 m then
    match half_above n v m with
    | Some here =>
        let d := Z.max 0 (here - times false n (lower n (gap k m v x)) (half_below n v (m + k))) in
        let whole := (2 * half_below n v 0 - 2 ^ n)%Z in
        let (first, s) := falling true n (square m v) in
        if Z.ltb 0 whole then Some (d, first * d # Z.to_pos (2 ^ s * whole))%Q else None
    | None => None
    end
  else
    match half_above n v 0 with
    | Some half =>
        let whole := (2 * half - 2 ^ n)%Z in
        let outside := times false n (lower n (square (1 - m) v)) (half_below n v (1 - m)) in
        let far := times false n (lower n (square (m + k) v - x)) (half_below n v (m + k)) in
        let d := Z.max 0 (whole - outside - far) in
        if Z.ltb 0 whole then Some (d, d # Z.to_pos whole)%Q else None
    | None => None
    end.

(** As long as the difference keeps fewer bits than [enough], it is computed again with as many more, up to [most]. *)
Fixpoint refined (fuel : nat) (enough most n k m : Z) (v x : Q) : option Q :=
  match difference n k m v x, fuel with
  | Some (d, q), S fuel =>
      let lack := (enough - Z.log2 d)%Z in
      if Z.leb lack 0 then Some q else if Z.leb most n then Some q else refined fuel enough most (Z.min most (n + lack + 8)) k m v x
  | Some (_, q), O => Some q
  | None, _ => None
  end.

Definition gaussian_delta_above (k : Z) (v x : Q) : option Q :=
  if Z.ltb k 0 then None else if Z.eqb k 0 then Some 0%Q else
  if Qle_bool v 0 then None else if Qle_bool v (inject_Z (2 ^ 30)) then
    if Qle_bool 0 x then if Qle_bool x limit then
      let m := (Qfloor (x * v / inject_Z k - inject_Z k / 2) + 1)%Z in let l := size v in
      refined 3 (97 + l + l / 2) (208 + l) (112 + l) k m v x
    else None else None
  else None.

Section Difference.
Variables (v x : Q) (k m n : Z).
Hypothesis v_pos : 0 < Q2R v.
Hypothesis k_pos : (0 < k)%Z.
Hypothesis n_nonneg : (0 <= n)%Z.
Hypothesis far_nonneg : (0 <= m + k)%Z.
Notation c := (/ (2 * Q2R v)).
Notation b := (bell c 0).
Notation half := (half_line c).
Notation e := (exp (Q2R x)).

Lemma two_v : ~ (2 * v == 0)%Q /\ Q2R (2 * v) = 2 * Q2R v.
Proof.
  assert (E : Q2R (2 * v) = 2 * Q2R v) by (rewrite Q2R_mult; unfold Q2R at 1; simpl; lra). split; [|exact E].
  apply Qnonzero_R. rewrite E. lra.
Qed.

Lemma bell_square z : b z = exp (- Q2R (square z v)).
Proof. destruct two_v as [nz E]. unfold square, bell. rewrite Q2R_div, Q2R_Z, E, mult_IZR by exact nz. f_equal. unfold Rsqr. field. lra. Qed.

(** Part of a half-line. *)
Lemma part_below y z w : (0 <= z)%Z -> 0 <= w -> w * b z = exp (- Q2R y) ->
  (0 <= times false n (lower n y) (half_below n v z))%Z /\ units n (times false n (lower n y) (half_below n v z)) <= w * half z.
Proof.
  intros Hz Hw E. destruct (half_below_ok v_pos n_nonneg Hz) as [H0 H]. destruct (lower_ok y n_nonneg) as [L0 L]. pose proof (bell_pos c 0 z) as B.
  pose proof (half_line_nonneg z (c_positive v_pos)) as G.
  replace (w * half z) with (exp (- Q2R y) * (half z / b z)) by (rewrite <- E; field; lra).
  apply (@times_ok false n n); auto; [left; apply exp_pos | |].
  - apply Rmult_le_pos; [exact G | left; now apply Rinv_0_lt_compat].
  - simpl. apply Rmult_le_reg_l with (b z); [exact B|]. replace (b z * (half z / b z)) with (half z) by (field; lra). exact H.
Qed.

Lemma divide_above t w y z : 0 < w <= t -> 0 <= z -> y <= z -> y / t <= z / w.
Proof.
  intros [W T] Z Y. apply Rle_trans with (z / t); [apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra | exact Y]|].
  apply Rmult_le_compat_l; [exact Z | apply Rinv_le_contravar; lra].
Qed.

Lemma units_ratio a w s y : (0 < w)%Z -> (0 <= s)%Z -> units s a * units n y / units n w = Q2R (a * y # Z.to_pos (2 ^ s * w)).
Proof.
  intros W S. pose proof (U_pos S). pose proof (U_pos n_nonneg). pose proof (Z.pow_pos_nonneg 2 s ltac:(lia) S). unfold units, Q2R; cbn [Qnum Qden].
  rewrite Z2Pos.id, !mult_IZR by nia. field. apply IZR_lt in W. lra.
Qed.

Lemma difference_ok d q : difference n k m v x = Some (d, q) -> (half m - e * half (m + k)) / theta c 0 <= Q2R q /\ 0 <= Q2R q.
Proof.
  pose proof (c_positive v_pos) as Hc. pose proof (theta_pos 0 Hc) as T0. pose proof (theta_half_line Hc) as T. pose proof (bell_0 c) as B0.
  pose proof (exp_pos (Q2R x)) as Ex. pose proof (bell_pos c 0 m) as B. unfold difference. destruct (Z.ltb_spec 0 m) as [M|M].
  - destruct (half_above n v m) as [here|] eqn:A; [|discriminate]. apply half_above_ok in A; auto; [|lia].
    destruct (@part_below (gap k m v x) (m + k) (e / b m)) as [P0 P]; [exact far_nonneg | left; now apply Rdiv_lt_0_compat | |].
    { destruct two_v as [nz E]. unfold gap. rewrite Q2R_minus, Q2R_div, Q2R_Z, E by exact nz. unfold bell, Rdiv. rewrite <- exp_Ropp, <- !exp_plus.
      f_equal. rewrite mult_IZR, !plus_IZR, mult_IZR. unfold Rsqr. field. lra. }
    set (lost := times false n _ _) in *. destruct (half_below_ok v_pos n_nonneg (Z.le_refl 0)) as [H0 H]. rewrite B0 in H.
    assert (F : safely true n (b m) (falling true n (square m v))).
    { rewrite bell_square. apply falling_ok; [exact n_nonneg|]. intros _. destruct two_v as [nz E]. unfold square.
      rewrite Q2R_div, Q2R_Z, E by exact nz. apply Rmult_le_pos; [apply IZR_le; nia | left; apply Rinv_0_lt_compat; lra]. }
    destruct (falling true n (square m v)) as [first s]. destruct F as (S & F0 & F). cbn [fst snd safe] in *.
    set (whole := (2 * half_below n v 0 - 2 ^ n)%Z). destruct (Z.ltb_spec 0 whole) as [W|]; [|discriminate]. intros K; injection K as _ <-.
    rewrite <- units_ratio by lia. assert (W0 : 0 < units n whole) by (apply Rdiv_lt_0_compat; [now apply IZR_lt | now apply U_pos]).
    assert (WT : units n whole <= theta c 0).
    { unfold whole. rewrite <- (units_one n_nonneg) in T. unfold units in *. rewrite minus_IZR, mult_IZR. lra. }
    set (d' := Z.max 0 (here - lost)). assert (D : 0 <= units n d') by (apply units_nonneg; lia).
    assert (V : 0 <= units s first) by (apply units_nonneg; lia).
    assert (N : 0 <= units s first * units n d') by now apply Rmult_le_pos.
    split; [|apply Rmult_le_pos; [exact N | left; now apply Rinv_0_lt_compat]]. apply divide_above; [lra | exact N|].
    apply Rle_trans with (b m * units n d'); [|apply Rmult_le_compat_r; assumption].
    apply Rle_trans with (b m * units n (here - lost)); [|apply Rmult_le_compat_l; [lra | apply units_mono; lia]].
    apply Rmult_le_compat_l with (r := b m) in P; [|lra]. replace (b m * (e / b m * half (m + k))) with (e * half (m + k)) in P by (field; lra).
    unfold Z.sub. rewrite units_plus. replace (units n (- lost)) with (- units n lost) by (unfold units; rewrite opp_IZR; unfold Rdiv; ring). lra.
  - destruct (half_above n v 0) as [h|] eqn:A; [|discriminate]. apply half_above_ok in A; auto; [|lia]. rewrite B0 in A.
    destruct (@part_below (square (1 - m) v) (1 - m) 1) as [P0 P]; [lia | lra | rewrite bell_square; ring|].
    destruct (@part_below (square (m + k) v - x) (m + k) e) as [R0 R]; [exact far_nonneg | lra | |].
    { rewrite bell_square, <- exp_plus, Q2R_minus. f_equal. ring. }
    set (outside := times false n (lower n (square (1 - m) v)) _) in *. set (far := times false n (lower n (square (m + k) v - x)) _) in *.
    set (whole := (2 * h - 2 ^ n)%Z). destruct (Z.ltb_spec 0 whole) as [W|]; [|discriminate]. intros K; injection K as _ <-.
    assert (W0 : 0 < units n whole) by (apply Rdiv_lt_0_compat; [now apply IZR_lt | now apply U_pos]).
    assert (WT : theta c 0 <= units n whole).
    { unfold whole. rewrite <- (units_one n_nonneg) in T. unfold units in *. rewrite minus_IZR, mult_IZR. lra. }
    set (d' := Z.max 0 (whole - outside - far)). assert (D : 0 <= units n d') by (apply units_nonneg; lia).
    replace (Q2R (d' # Z.to_pos whole)) with (units n d' / units n whole).
    2: { unfold units, Q2R; cbn [Qnum Qden]. rewrite Z2Pos.id by exact W. pose proof (U_pos n_nonneg). apply IZR_lt in W. field. lra. }
    split; [|apply Rmult_le_pos; [exact D | left; now apply Rinv_0_lt_compat]].
    pose proof (half_lines m Hc) as HL. assert (O : units n outside + units n far <= half (1 - m) + e * half (m + k)) by lra.
    set (o := units n outside + units n far) in *. assert (o0 : 0 <= o) by (apply Rplus_le_le_0_compat; now apply units_nonneg).
    apply Rle_trans with ((units n whole - o) / units n whole).
    + replace (half m - e * half (m + k)) with (theta c 0 - (half (1 - m) + e * half (m + k))) by lra. set (O' := half (1 - m) + e * half (m + k)) in *.
      apply Rmult_le_reg_r with (theta c 0 * units n whole); [now apply Rmult_lt_0_compat|].
      replace ((theta c 0 - O') / theta c 0 * (theta c 0 * units n whole)) with (theta c 0 * units n whole - O' * units n whole) by (field; lra).
      replace ((units n whole - o) / units n whole * (theta c 0 * units n whole)) with (theta c 0 * units n whole - o * theta c 0) by (field; lra).
      assert (o * theta c 0 <= O' * units n whole) by (apply Rmult_le_compat; lra). lra.
    + apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|].
      apply Rle_trans with (units n (whole - outside - far)); [|apply units_mono; lia]. unfold o, units. rewrite !minus_IZR. unfold Rdiv. lra.
Qed.
End Difference.

Lemma refined_ok fuel enough most k m v x q : forall n, 0 < Q2R v -> (0 < k)%Z -> (0 <= m + k)%Z -> (0 <= n)%Z -> (0 <= most)%Z ->
  refined fuel enough most n k m v x = Some q -> let c := / (2 * Q2R v) in
  (half_line c m - exp (Q2R x) * half_line c (m + k)) / theta c 0 <= Q2R q /\ 0 <= Q2R q.
Proof.
  induction fuel as [|fuel IH]; intros n V K F N Most; cbn [refined];
    destruct (difference n k m v x) as [[d r]|] eqn:D; try discriminate; apply difference_ok in D; auto; [intros H; injection H as <-; exact D|].
  destruct (Z.leb_spec (enough - Z.log2 d) 0); [intros H'; injection H' as <-; exact D|].
  destruct (Z.leb_spec most n); [intros H'; injection H' as <-; exact D|]. apply IH; auto. lia.
Qed.

Theorem gaussian_delta_above_ok k v x q (w : R) (positive : 0 < w) : gaussian_delta_above k v x = Some q -> w = Q2R v ->
  gaussian_delta positive (IZR k) (Q2R x) <= Q2R q.
Proof.
  unfold gaussian_delta_above, gaussian_delta. intros H E. destruct (Z.ltb_spec k 0) as [|K0]; [discriminate|].
  destruct (Z.eqb_spec k 0) as [->|K1].
  { injection H as <-. destruct (Req_EM_T 0 0) as [_|N]; [rewrite Q2R_0; lra | now elim N]. }
  assert (k0 : (0 < k)%Z) by lia. apply IZR_lt in k0 as kR. destruct (Req_EM_T (IZR k) 0) as [Z|_]; [lra|].
  destruct (Qle_bool v 0) eqn:V; [discriminate|]. apply Qgt_R in V. rewrite Q2R_0 in V. destruct (Qle_bool v (inject_Z (2 ^ 30))); [|discriminate].
  destruct (Qle_bool 0 x) eqn:X; [|discriminate]. apply Qle_R in X. rewrite Q2R_0 in X. destruct (Qle_bool x limit); [|discriminate].
  set (y := (x * v / inject_Z k - inject_Z k / 2)%Q) in *. set (m := (Qfloor y + 1)%Z) in *.
  assert (Y : Q2R y = near w (Q2R x) (IZR k)).
  { unfold y, near. assert (nz : ~ (inject_Z k == 0)%Q) by (apply Qnonzero_R; now rewrite Q2R_Z).
    rewrite Q2R_minus, !Q2R_div, Q2R_mult, Q2R_Z, E by (exact nz || discriminate). f_equal. f_equal. unfold Q2R; simpl; lra. }
  assert (F : far w (Q2R x) (IZR k) = near w (Q2R x) (IZR k) + IZR k) by (unfold far, near; field; lra).
  pose proof (floor_R y) as [Y1 Y2]. rewrite Y in Y1, Y2. assert (M : IZR m = IZR (Qfloor y) + 1) by (unfold m; now rewrite plus_IZR).
  assert (mk : (0 <= m + k)%Z).
  { apply Z.lt_succ_r, lt_IZR. rewrite succ_IZR, plus_IZR. assert (0 < far w (Q2R x) (IZR k)); [|lra]. unfold far.
    assert (0 <= Q2R x * w / IZR k) by (apply Rmult_le_pos; [nra | left; now apply Rinv_0_lt_compat]). lra. }
  rewrite (@above_half_line w positive _ m), (@above_half_line w positive _ (m + k)) by (rewrite ?plus_IZR; lra). rewrite E in *.
  apply refined_ok in H; try (assumption || (unfold size; pose proof (Z.log2_nonneg (Qfloor v)); lia)).
  destruct H as [H H0]. apply Rmax_lub; [exact H0|]. eapply Rle_trans; [|exact H]. right. unfold Rdiv. ring.
Qed.
