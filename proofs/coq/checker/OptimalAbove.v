(** * Optimal composition, from above

    Of k pairs of coins of loss eps the delta at x is, with r = exp(-eps),

      [sum over i of C(k,i) r^i max(0, 1 - exp(x - (k - 2i) eps)) / (1 + r)^k].

    Only i up to some [last] count, as x >= 0. The sum is worked out from there down by Horner's rule, as C(k,i) r^i is
    C(k,i-1) r^(i-1) times [r (k-i+1)/i], in units of 2^-n, rounded up; what grows too long is halved 64 times. *)
From Coq Require Import ZArith QArith Qround Qreals Reals Lra Lia Psatz Bool.
From DPcore Require Import Indistinguishability OptimalComposition.
From DPchecker Require Import Numbers Exponentials FixedPoint.
Open Scope R_scope.
Set Implicit Arguments.

(** ** The sum *)

(** At i: the terms from i on, over C(k,i) r^i, are [sum] in units of 2^(scale-n); and exp(x - (k - 2i) eps) in units of 2^-n. *)
Record horner := { index : Z; sum : Z; scale : Z; power_at : Z }.

Section Step.
Variables (k n r square : Z).                (* r from above, exp(-2 eps) from below *)

Definition shorter (h : horner) : horner :=
  if Z.leb (2 ^ (n + 64)) (sum h) then
    {| index := index h; sum := trim true 64 (sum h); scale := scale h + 64; power_at := power_at h |}
  else h.

Definition step (h : horner) : horner :=
  let i := index h in let w := times false n (power_at h) square in
  shorter {| index := i - 1; scale := scale h; power_at := w;
             sum := (k - i + 1) * times true n (sum h) r / i + 1 + trim true (scale h) (Z.max 0 (2 ^ n - w)) |}.
End Step.

(** How many bits a number is below 1. *)
Definition lost (y : Q) : Z := Z.max 0 (Z.log2 (Zpos (Qden y)) - Z.log2 (Qnum y)).

(** The loss of which i counts in the exponent. *)
Definition loss_at (k : positive) (eps : Q) (i : Z) : Q := inject_Z (Zpos k - 2 * i) * eps.

Definition optimal_sum (k : positive) (eps x : Q) (last : Z) (more : positive) : option Q :=
  let beyond := (loss_at k eps last - x)%Q in
  let n := (111 + Zpos more + Z.log2 (Zpos k) + lost (if Z.eqb last 0 then beyond else eps))%Z in
  let w := exp_minus false n beyond in
  let h := Z.iter last (step (Zpos k) n (exp_minus true n eps) (exp_minus false n (2 * eps)))
             {| index := last; sum := Z.max 0 (2 ^ n - w); scale := 0; power_at := w |} in
  let (p, s) := power true n (2 ^ n * 2 ^ n / (2 ^ n + exp_minus false n eps) + 1, n)%Z k in
  if Z.leb (scale h) (n + s) then Some (sum h * p # Z.to_pos (2 ^ (n + s - scale h)))%Q else None.

(** With more bits as long as what it lacks to 1 takes most of them. *)
Fixpoint sharper (fuel : nat) (k : positive) (eps x : Q) (last : Z) (more : positive) : option Q :=
  match fuel, optimal_sum k eps x last more with
  | S fuel, Some q => if Qle_bool q (1 - (1 # 2 ^ (more + 32))) then Some q else sharper fuel k eps x last (4 * more + 128)
  | _, found => found
  end.

(** Beyond some hundred bits nothing that is claimed depends on it. *)
Definition sharpenings (k : positive) (eps : Q) : nat := if Qle_bool (inject_Z (Zpos k) * eps) 480 then 2 else 0.

Definition Qmin1 (q : Q) : Q := if Qle_bool q 1 then q else 1%Q.

Definition optimal_above (k : positive) (eps x : Q) : option Q :=
  if Qle_bool 0 eps then if Qle_bool 0 x then
    if Qle_bool (x - loss_at k eps (Zpos k / 2)) limit then
      if Qle_bool (inject_Z (Zpos k) * eps) x then Some 0%Q else
      let last := (Qceiling ((inject_Z (Zpos k) - x / eps) / 2) - 1)%Z in
      if Z.leb 0 last then if Z.leb last (Zpos k) then if Qle_bool (loss_at k eps (last + 1)) x then
        match sharper (sharpenings k eps) k eps x last 1 with Some q => Some (Qmin1 q) | None => None end
      else None else None else None
    else None
  else None else None.

(** 1 - (1 - delta)^k (1 - found) *)
(** (1 - delta)^k, exactly. *)
Definition untold (k : positive) (delta : Q) : Q := ((Zpos (Qden delta) - Qnum delta) ^ Zpos k # Qden delta ^ k)%Q.

Definition optimal_approx_above (k : positive) (eps delta x : Q) : option Q :=
  match optimal_above k eps x with
  | Some found =>
      if Qle_bool 1 delta then Some 1%Q else if Qle_bool delta 0 then if Qeq_bool delta 0 then Some found else None else
      if Z.leb (Zpos k * (1 + Z.log2 (Zpos (Qden delta)))) 2048 then Some (1 - untold k delta * (1 - found))%Q else
      let n := (112 + Z.log2 (Zpos k) + lost delta)%Z in
      let clean := fixed false n (power false n (Qfloor ((1 - delta) * inject_Z (2 ^ n)), n) k) in
      Some (1 - (clean # Z.to_pos (2 ^ n)) * (1 - found))%Q
  | None => None
  end.

(** ** Proof *)

(** The terms below j. *)
Definition under (g : nat -> R) (j : nat) : R := match j with O => 0 | S j => sum_f_R0 g j end.
Lemma under_next g i : under g (S i) = under g i + g i.
Proof. destruct i; simpl; ring. Qed.
Lemma under_all g j N : (j <= S N)%nat -> (forall l, (j <= l <= N)%nat -> g l = 0) -> sum_f_R0 g N = under g j.
Proof.
  induction N as [|N IH]; intros H Z.
  - destruct j as [|[|j]]; [apply (Z 0%nat); lia | reflexivity | lia].
  - destruct (Nat.eq_dec j (S (S N))) as [->|D]; [reflexivity|]. rewrite tech5, IH, Z; [ring | lia | lia | intros; apply Z; lia].
Qed.

Lemma trim_above s a : (0 <= s)%Z -> (a <= trim true s a * 2 ^ s)%Z.
Proof.
  intros Hs. unfold trim. rewrite Z.shiftr_div_pow2 by exact Hs. pose proof (Z.pow_pos_nonneg 2 s ltac:(lia) Hs).
  pose proof (Z.div_mod a (2 ^ s) ltac:(lia)). pose proof (Z.mod_pos_bound a (2 ^ s) ltac:(lia)). lia.
Qed.
Lemma trim_nonneg s a : (0 <= a)%Z -> (0 <= trim true s a)%Z.
Proof. intros Ha. unfold trim. assert (0 <= Z.shiftr a s)%Z by now apply Z.shiftr_nonneg. lia. Qed.

Section Sum.
Variables (N : nat) (e X : R) (n r square : Z).
Hypothesis n_nonneg : (0 <= n)%Z.
Hypothesis r_above : (0 <= r)%Z /\ exp (- e) <= units n r.
Hypothesis square_below : (0 <= square)%Z /\ units n square <= exp (- (2 * e)).

Definition over (i : nat) : R := Rmax 0 (1 - exp (X - (INR N - 2 * INR i) * e)).
Definition chance (i : nat) : R := C N i * exp (- e) ^ i.
Definition item (i : nat) : R := chance i * over i.

Lemma C_nonneg i : 0 <= C N i.
Proof. unfold C. apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat, Rmult_lt_0_compat]; try apply pos_INR; apply lt_0_INR, lt_O_fact. Qed.
Lemma chance_nonneg i : 0 <= chance i.
Proof. apply Rmult_le_pos; [apply C_nonneg | apply pow_le; left; apply exp_pos]. Qed.

Lemma chance_next i : (i < N)%nat -> chance (S i) = chance i * (exp (- e) * (INR (N - i) / INR (S i))).
Proof. intros H. unfold chance. rewrite pascal_step3 by exact H. simpl pow. field. apply not_0_INR. lia. Qed.

Definition amount (h : horner) : R := units n (sum h) * IZR (2 ^ scale h).

Definition holds (i : nat) (h : horner) : Prop :=
  index h = Z.of_nat i /\ (i <= N)%nat /\ (0 <= sum h /\ 0 <= scale h /\ 0 <= power_at h)%Z /\
  sum_f_R0 item N <= under item i + chance i * amount h /\ units n (power_at h) <= exp (X - (INR N - 2 * INR i) * e).

Lemma over_above i w : units n w <= exp (X - (INR N - 2 * INR i) * e) -> over i <= units n (Z.max 0 (2 ^ n - w)).
Proof.
  intros H. unfold over. apply Rmax_lub; [apply units_nonneg; lia|]. apply Rle_trans with (units n (2 ^ n - w)); [|apply units_mono; lia].
  unfold Z.sub. rewrite units_plus, units_one by exact n_nonneg. unfold units in *. rewrite opp_IZR. unfold Rdiv in *. lra.
Qed.

Lemma shorter_ok i h : holds i h -> holds i (shorter n h).
Proof.
  intros (I & L & (S0 & C0 & P0) & T & P). unfold shorter. destruct (Z.leb _ _); [|repeat split; auto].
  unfold holds; cbn [index sum scale power_at]. repeat split; auto; [now apply trim_nonneg | lia|].
  eapply Rle_trans; [exact T|]. apply Rplus_le_compat_l, Rmult_le_compat_l; [apply chance_nonneg|]. unfold amount; cbn [sum scale].
  rewrite Z.pow_add_r, mult_IZR, (Rmult_comm (IZR (2 ^ scale h))), <- Rmult_assoc by lia.
  apply Rmult_le_compat_r; [left; now apply U_pos|]. apply Rle_trans with (units n (trim true 64 (sum h) * 2 ^ 64)).
  - apply units_mono; [exact n_nonneg|]. apply trim_above. lia.
  - right. unfold units, Rdiv. rewrite mult_IZR. ring.
Qed.

Lemma step_ok i h : holds (S i) h -> holds i (step (Z.of_nat N) n r square h).
Proof.
  intros (I & L & (S0 & C0 & P0) & T & P). destruct r_above as [r0 Hr]. destruct square_below as [q0 Hq].
  destruct (@times_ok true n n (sum h) r (units n (sum h)) (exp (- e))) as [G0 G]; auto using units_nonneg, safe_refl; [left; apply exp_pos|].
  destruct (@times_ok false n n (power_at h) square (exp (X - (INR N - 2 * INR (S i)) * e)) (exp (- (2 * e)))) as [W0 W]; auto;
    [left; apply exp_pos | left; apply exp_pos|]. cbn [safe] in G, W.
  rewrite <- exp_plus in W. replace (X - (INR N - 2 * INR (S i)) * e + - (2 * e)) with (X - (INR N - 2 * INR i) * e) in W by (rewrite S_INR; ring).
  apply shorter_ok. unfold holds; cbn [index sum scale power_at].
  set (w := times false n (power_at h) square) in *. set (g := times true n (sum h) r) in *.
  assert (J : (0 < index h)%Z) by lia. set (d := ((Z.of_nat N - index h + 1) * g / index h)%Z).
  assert (D0 : (0 <= d)%Z) by (apply Z.div_pos; [apply Z.mul_nonneg_nonneg; lia | exact J]).
  assert (F0 : (0 <= Z.max 0 (2 ^ n - w))%Z) by lia. pose proof (@trim_nonneg (scale h) _ F0) as F1.
  split; [rewrite I; lia|]. split; [lia|]. split; [repeat split; lia|]. split; [|exact W].
  eapply Rle_trans; [exact T|]. rewrite under_next, chance_next by lia. unfold item at 2. rewrite Rplus_assoc. apply Rplus_le_compat_l.
  replace (chance i * over i + chance i * (exp (- e) * (INR (N - i) / INR (S i))) * amount h)
    with (chance i * (over i + exp (- e) * (INR (N - i) / INR (S i)) * amount h)) by ring.
  apply Rmult_le_compat_l; [apply chance_nonneg|]. unfold amount; cbn [sum scale]. pose proof (U_pos C0) as U.
  rewrite units_plus, Rmult_plus_distr_r, Rplus_comm. apply Rplus_le_compat.
  - rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [lra|]. assert (K : 0 < INR (S i)) by (apply lt_0_INR; lia).
    apply Rle_trans with (INR (N - i) / INR (S i) * units n g).
    + replace (exp (- e) * (INR (N - i) / INR (S i)) * units n (sum h)) with (INR (N - i) / INR (S i) * (units n (sum h) * exp (- e))) by ring.
      apply Rmult_le_compat_l; [apply Rmult_le_pos; [apply pos_INR | left; now apply Rinv_0_lt_compat] | exact G].
    + pose proof (@div_R ((Z.of_nat N - index h + 1) * g) (index h) J) as [_ V]. fold d in V. rewrite mult_IZR in V.
      replace (IZR (Z.of_nat N - index h + 1)) with (INR (N - i)) in V by (rewrite INR_IZR_INZ; f_equal; lia).
      replace (IZR (index h)) with (INR (S i)) in V by (rewrite INR_IZR_INZ, I; reflexivity).
      pose proof (U_pos n_nonneg). unfold units. rewrite plus_IZR. replace (INR (N - i) / INR (S i) * (IZR g / IZR (2 ^ n))) with
        (INR (N - i) * IZR g / INR (S i) / IZR (2 ^ n)) by (field; lra).
      apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat | lra].
  - eapply Rle_trans; [now apply over_above, W|]. apply Rle_trans with (units n (trim true (scale h) (Z.max 0 (2 ^ n - w)) * 2 ^ scale h)).
    + apply units_mono; [exact n_nonneg | now apply trim_above].
    + right. unfold units, Rdiv. rewrite mult_IZR. ring.
Qed.

Lemma steps_ok I h : holds I h -> forall m, (m <= I)%nat -> holds (I - m) (Nat.iter m (step (Z.of_nat N) n r square) h).
Proof.
  intros H m. induction m as [|m IH]; intros L; [now rewrite Nat.sub_0_r|]. simpl. apply step_ok.
  replace (S (I - S m)) with (I - m)%nat by lia. apply IH. lia.
Qed.

Lemma first_ok I w : (I <= N)%nat -> (0 <= w)%Z -> (forall l, (I < l <= N)%nat -> over l = 0) ->
  units n w <= exp (X - (INR N - 2 * INR I) * e) ->
  holds I {| index := Z.of_nat I; sum := Z.max 0 (2 ^ n - w); scale := 0; power_at := w |}.
Proof.
  intros L W0 Z W. unfold holds; cbn [index sum scale power_at]. repeat split; auto; try lia.
  rewrite (@under_all item (S I) N) by (try lia; intros l Hl; unfold item; rewrite Z by lia; ring). rewrite under_next.
  apply Rplus_le_compat_l, Rmult_le_compat_l; [apply chance_nonneg|]. unfold amount; simpl. rewrite Rmult_1_r. now apply over_above.
Qed.
End Sum.

Lemma lost_nonneg y : (0 <= lost y)%Z. Proof. apply Z.le_max_l. Qed.

Lemma loss_at_R k eps i : Q2R (loss_at k eps (Z.of_nat i)) = (INR (Pos.to_nat k) - 2 * INR i) * Q2R eps.
Proof. unfold loss_at. rewrite Q2R_mult, Q2R_Z, minus_IZR, mult_IZR, !INR_IZR_INZ, positive_nat_Z. reflexivity. Qed.

Section Bound.
Variables (k : positive) (eps x : Q).
Notation N := (Pos.to_nat k).
Notation e := (Q2R eps).
Notation X := (Q2R x).
Hypothesis eps_nonneg : 0 <= e.

Lemma over_zero l : Q2R (loss_at k eps (Z.of_nat l)) <= X -> over N e X l = 0.
Proof.
  intros H. rewrite loss_at_R in H. unfold over. apply Rmax_left. assert (exp 0 <= exp (X - (INR N - 2 * INR l) * e)) by (apply exp_le; lra).
  rewrite exp_0 in *. lra.
Qed.

Lemma over_zero_after l i : (i <= l)%nat -> Q2R (loss_at k eps (Z.of_nat i)) <= X -> over N e X l = 0.
Proof. intros L H. apply over_zero. rewrite loss_at_R in *. apply le_INR in L. nra. Qed.

Lemma terms_sum : sum_f_R0 (OptimalComposition.term e N X) N = sum_f_R0 (item N e X) N * (/ (1 + exp (- e))) ^ N.
Proof.
  rewrite Rmult_comm, scal_sum. apply sum_eq. intros i Hi. unfold OptimalComposition.term, item, chance, over.
  rewrite chance_ratio by assumption. rewrite pow_inv. unfold Rdiv. ring.
Qed.

Lemma optimal_sum_ok I more q : (I <= N)%nat -> Q2R (loss_at k eps (Z.of_nat (S I))) <= X -> optimal_sum k eps x (Z.of_nat I) more = Some q ->
  sum_f_R0 (OptimalComposition.term e N X) N <= Q2R q.
Proof.
  intros L Z. unfold optimal_sum. set (beyond := (loss_at k eps (Z.of_nat I) - x)%Q).
  set (n := (111 + Zpos more + Z.log2 (Zpos k) + lost (if Z.eqb (Z.of_nat I) 0 then beyond else eps))%Z).
  assert (Hn : (0 <= n)%Z).
  { unfold n. pose proof (Z.log2_nonneg (Zpos k)). pose proof (lost_nonneg (if Z.eqb (Z.of_nat I) 0 then beyond else eps)). lia. }
  clearbody n. destruct (exp_minus_below eps Hn) as [r0 r1]. destruct (exp_minus_below beyond Hn) as [w0 w1].
  destruct (exp_minus_below (2 * eps) Hn) as [s0 s1]. rewrite Q2R_mult in s1. replace (Q2R 2) with 2 in s1 by (unfold Q2R; simpl; lra).
  pose proof (exp_minus_above Hn eps_nonneg) as R.
  assert (B : - Q2R beyond = X - (INR N - 2 * INR I) * e) by (unfold beyond; rewrite Q2R_minus, loss_at_R; ring). rewrite B in w1.
  rewrite iter_nat. replace (Zpos k) with (Z.of_nat N) by apply positive_nat_Z. set (w := exp_minus false n beyond) in *.
  assert (First := @first_ok N e X n Hn I w L w0 (fun l Hl => @over_zero_after l (S I) (proj1 Hl) Z) w1).
  pose proof (@steps_ok N e X n _ _ Hn R (conj s0 s1) I _ First I (Nat.le_refl I)) as H.
  rewrite Nat.sub_diag in H. set (h := Nat.iter I _ _) in *. clearbody h. destruct H as (_ & _ & (S0 & C0 & _) & H & _).
  simpl under in H. unfold chance in H. rewrite C_0 in H. simpl pow in H. rewrite Rplus_0_l, !Rmult_1_l in H.
  set (rl := exp_minus false n eps) in *. pose proof (exp_pos (- e)) as E. pose proof (U_pos Hn) as U.
  assert (P : safely true n ((/ (1 + exp (- e))) ^ N) (power true n (2 ^ n * 2 ^ n / (2 ^ n + rl) + 1, n)%Z k)).
  { apply power_ok; [exact Hn | left; apply Rinv_0_lt_compat; lra|]. unfold safely, value; cbn [fst snd safe].
    assert (D : (0 < 2 ^ n + rl)%Z) by (apply lt_IZR; rewrite plus_IZR; apply IZR_le in r0; lra).
    pose proof (@div_R (2 ^ n * 2 ^ n) (2 ^ n + rl) D) as [_ V]. rewrite mult_IZR, plus_IZR in V. apply IZR_le in r0 as r0'.
    split; [lia|]. split; [pose proof (Z.div_pos (2 ^ n * 2 ^ n) (2 ^ n + rl) ltac:(nia) D); lia|]. unfold units in *. rewrite plus_IZR.
    apply Rle_trans with (/ (1 + IZR rl / IZR (2 ^ n))).
    - apply Rinv_le_contravar; [|lra]. assert (0 <= IZR rl / IZR (2 ^ n)) by (apply Rmult_le_pos; [lra | left; now apply Rinv_0_lt_compat]). lra.
    - replace (/ (1 + IZR rl / IZR (2 ^ n))) with (IZR (2 ^ n) * IZR (2 ^ n) / (IZR (2 ^ n) + IZR rl) / IZR (2 ^ n)) by (field; lra).
      apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat | lra]. }
  destruct (power true n _ k) as [p s]. destruct P as (S1 & P0 & P). unfold value in P; cbn [fst snd safe] in *.
  destruct (Z.leb_spec (scale h) (n + s)) as [Le|]; [|discriminate]. intros K; injection K as <-. rewrite terms_sum.
  apply Rle_trans with (amount n h * units s p).
  - apply Rmult_le_compat; [| apply pow_le; left; apply Rinv_0_lt_compat; lra | exact H | exact P].
    apply cond_pos_sum. intros i. apply Rmult_le_pos; [apply chance_nonneg | apply Rmax_l].
  - right. unfold amount. assert (s0' : (0 <= s)%Z) by lia. pose proof (U_pos s0'). pose proof (U_pos C0).
    assert (Le' : (0 <= n + s - scale h)%Z) by lia.
    pose proof (U_pos Le'). rewrite Q2R_over, mult_IZR by exact Le'.
    assert (T : IZR (2 ^ n) * IZR (2 ^ s) = IZR (2 ^ (n + s - scale h)) * IZR (2 ^ scale h)).
    { rewrite <- !mult_IZR, <- !Z.pow_add_r by lia. do 2 f_equal. lia. }
    unfold units. replace (IZR (sum h) / IZR (2 ^ n) * IZR (2 ^ scale h) * (IZR p / IZR (2 ^ s))) with
      (IZR (sum h) * IZR p * IZR (2 ^ scale h) / (IZR (2 ^ n) * IZR (2 ^ s))) by (field; lra). rewrite T. field. lra.
Qed.

Lemma sharper_ok I q : (I <= N)%nat -> Q2R (loss_at k eps (Z.of_nat (S I))) <= X -> forall fuel more,
  sharper fuel k eps x (Z.of_nat I) more = Some q -> sum_f_R0 (OptimalComposition.term e N X) N <= Q2R q.
Proof.
  intros L Z. induction fuel as [|fuel IH]; intros more; cbn [sharper]; [now apply optimal_sum_ok|].
  destruct (optimal_sum k eps x (Z.of_nat I) more) as [y|] eqn:Y; [|discriminate].
  destruct (Qle_bool y _); [|apply IH]. intros H; injection H as <-. now apply optimal_sum_ok in Y.
Qed.
End Bound.

Lemma Qmin1_ok q y : y <= Q2R q -> y <= 1 -> y <= Q2R (Qmin1 q) <= 1.
Proof.
  intros H H1. unfold Qmin1. destruct (Qle_bool q 1) eqn:E; rewrite ?Q2R_1; [|lra]. apply Qle_R in E. rewrite Q2R_1 in E. lra.
Qed.

Theorem optimal_above_ok k eps x q : optimal_above k eps x = Some q ->
  sum_f_R0 (OptimalComposition.term (Q2R eps) (Pos.to_nat k) (Q2R x)) (Pos.to_nat k) <= Q2R q <= 1.
Proof.
  unfold optimal_above. destruct (Qle_bool 0 eps) eqn:E; [|discriminate]. apply Qle_R in E. rewrite Q2R_0 in E.
  destruct (Qle_bool 0 x) eqn:Hx; [|discriminate]. destruct (Qle_bool _ limit); [|discriminate].
  pose proof (@term_sum_le_1 (Q2R eps) (Pos.to_nat k) (Q2R x)) as One.
  destruct (Qle_bool (inject_Z (Zpos k) * eps) x) eqn:A.
  - intros H; injection H as <-. apply Qle_R in A. rewrite Q2R_0. split; [|lra]. rewrite terms_sum.
    rewrite (@under_all _ 0) ; [simpl; lra | lia|]. intros l _. unfold item. rewrite (@over_zero_after k eps x E l 0); [ring | lia|].
    change (Z.of_nat 0) with 0%Z. unfold loss_at. now rewrite Z.sub_0_r.
  - cbv zeta. set (last := (_ - 1)%Z). destruct (Z.leb_spec 0 last) as [L0|]; [|discriminate].
    destruct (Z.leb_spec last (Zpos k)) as [L1|]; [|discriminate].
    destruct (Qle_bool (loss_at k eps (last + 1)) x) eqn:F; [|discriminate]. apply Qle_R in F.
    destruct (sharper _ k eps x last 1) as [y|] eqn:Y; [|discriminate]. intros H; injection H as <-. apply Qmin1_ok; [|exact One].
    rewrite <- (Z2Nat.id last L0) in Y, F. apply sharper_ok in Y; auto; [lia|].
    replace (Z.of_nat (S (Z.to_nat last))) with (Z.of_nat (Z.to_nat last) + 1)%Z by lia. exact F.
Qed.

Lemma untold_is k delta : Q2R (untold k delta) = (1 - Q2R delta) ^ Pos.to_nat k.
Proof.
  destruct delta as [a d]. unfold untold, Q2R; cbn [Qnum Qden]. rewrite Pos2Z.inj_pow, <- (positive_nat_Z k), <- !pow_IZR.
  replace (1 - IZR a * / IZR (Zpos d)) with (IZR (Zpos d - a) * / IZR (Zpos d)) by (rewrite minus_IZR; field; apply not_0_IZR; lia).
  now rewrite Rpow_mult_distr, pow_inv.
Qed.

Theorem optimal_approx_above_ok k eps delta x q : optimal_approx_above k eps delta x = Some q -> let n := Pos.to_nat k in
  1 - (1 - Rmin (Q2R delta) 1) ^ n * (1 - sum_f_R0 (OptimalComposition.term (Q2R eps) n (Q2R x)) n) <= Q2R q.
Proof.
  unfold optimal_approx_above. cbv zeta. destruct (optimal_above k eps x) as [found|] eqn:F; [|discriminate]. apply optimal_above_ok in F.
  set (y := sum_f_R0 _ _) in *. clearbody y. destruct (Qle_bool 1 delta) eqn:D1.
  - intros H; injection H as <-. apply Qle_R in D1. rewrite Q2R_1 in *. rewrite Rmin_right by exact D1.
    replace (1 - 1) with 0 by ring. rewrite pow_i by apply Pos2Nat.is_pos. lra.
  - apply Qgt_R in D1. rewrite Q2R_1 in D1. rewrite Rmin_left by lra. destruct (Qle_bool delta 0) eqn:D0.
    + destruct (Qeq_bool delta 0) eqn:Z; [|discriminate]. intros H; injection H as <-. apply Qeq_bool_iff, Qeq_eqR in Z.
      rewrite Z, Q2R_0, Rminus_0_r, pow1. lra.
    + apply Qgt_R in D0. rewrite Q2R_0 in D0. destruct (Z.leb _ 2048).
      { intros H; injection H as <-. rewrite Q2R_minus, Q2R_mult, Q2R_minus, Q2R_1, untold_is.
        assert (0 <= (1 - Q2R delta) ^ Pos.to_nat k) by (apply pow_le; lra). nra. }
      set (n := (112 + Z.log2 (Zpos k) + lost delta)%Z).
      assert (Hn : (0 <= n)%Z) by (unfold n; pose proof (Z.log2_nonneg (Zpos k)); pose proof (lost_nonneg delta); lia). clearbody n.
      intros H; injection H as <-. pose proof (U_pos Hn) as U. set (b := ((1 - delta) * inject_Z (2 ^ n))%Q).
      assert (B : Q2R b = (1 - Q2R delta) * IZR (2 ^ n)) by (unfold b; now rewrite Q2R_mult, Q2R_minus, Q2R_Z, Q2R_1).
      assert (P : safely false n ((1 - Q2R delta) ^ Pos.to_nat k) (power false n (Qfloor b, n) k)).
      { apply power_ok; [exact Hn | lra|]. pose proof (floor_R b) as [B1 B2]. rewrite B in B1, B2. unfold safely, value; cbn [fst snd safe].
        split; [lia|]. split.
        - apply Z.lt_succ_r, lt_IZR. rewrite succ_IZR. assert (0 <= (1 - Q2R delta) * IZR (2 ^ n)) by (apply Rmult_le_pos; lra). lra.
        - unfold units. apply Rmult_le_reg_r with (IZR (2 ^ n)); [exact U|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. exact B1. }
      destruct (fixed_ok Hn P) as [C0 C]. cbn [safe] in C. set (clean := fixed false n _) in *.
      rewrite Q2R_minus, Q2R_mult, Q2R_minus, Q2R_1, Q2R_over by exact Hn. fold (units n clean).
      apply (Rplus_le_compat_l 1), Ropp_le_contravar.
      apply Rmult_le_compat; [now apply units_nonneg | lra | exact C | lra].
Qed.
