(** * Optimal composition of unequal losses, from above

    Losses are counted in whole units. Of the releases some are false, and what is then lost is twice the sum of theirs below
    the sum of all. So it is enough to know how often each sum comes, [sums]:

      [sum over (k, c) of c exp(-k u) max(0, 1 - exp(x - sum of all + 2 k u)) / product of (1 + exp(-eps_i))].

    Where the sums are too many, losses are first rounded up to a grid. *)
From Coq Require Import ZArith QArith Qround Qreals Reals Lra Lia Psatz Bool List.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Combinators OptimalComposition UnequalComposition.
From DPchecker Require Import Json Language Numbers Exponentials Losses Rounding Points FixedPoint OptimalAbove.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

(** ** How often each sum comes *)
Definition tally : Type := list (Z * Z).
Fixpoint merge (a : tally) : tally -> tally :=
  fix with_a (b : tally) : tally :=
    match a, b with
    | [], _ => b
    | _, [] => a
    | (k, c) :: a', (j, d) :: b' =>
        if Z.ltb k j then (k, c) :: merge a' b else if Z.ltb j k then (j, d) :: with_a b' else (k, c + d)%Z :: merge a' b'
    end.
Definition shift (m : Z) (l : tally) : tally := map (fun p => (fst p + m, snd p)%Z) l.
Definition sums (ms : list Z) : tally := fold_right (fun m l => merge l (shift m l)) [(0, 1)%Z] ms.

(** ** In units *)
Definition most_sums : Z := 4096.
(** So many at most that are different: then there are more sums already. To count them all would compare each with all others. *)
Definition most_different : nat := 13.
Fixpoint counted_with (room : nat) (e : Q) (l : list (Q * Z)) : list (Q * Z) :=
  match l, room with
  | [], O => []
  | [], S _ => [(e, 1%Z)]
  | (f, n) :: l, room =>
      if Qeq_bool e f then (f, n + 1)%Z :: l else (f, n) :: match room with O => l | S room => counted_with room e l end
  end.
Definition few (es : list Q) : bool :=
  Z.leb (fold_right (fun p s => s * (snd p + 1)) 1 (fold_right (counted_with most_different) [] es))%Z most_sums.
(** A power of two, of which the sum of all has 2048 to 4095. *)
Definition power_of_two (n : Z) : Q := if Z.leb 0 n then inject_Z (2 ^ n) else (1 # Z.to_pos (2 ^ (- n)))%Q.
Definition grid_of (t : Q) : Q :=
  let n := (Z.log2 (Qnum t) - Z.log2 (Zpos (Qden t)))%Z in
  power_of_two ((if Qle_bool (power_of_two n) t then n else n - 1) - 11).
Definition rounded_up (h e : Q) : Q := (inject_Z (Qceiling (e / h)) * h)%Q.
Definition common (es : list Q) : positive := fold_right (fun e d => Z.to_pos (Z.lcm (Zpos (Qden e)) (Zpos d))) 1%positive es.
Definition in_units (d : positive) (e : Q) : Z := (Qnum e * (Zpos d / Zpos (Qden e)))%Z.

(** ** The sum, in units of 2^-n *)
Section Weights.
Variables (n : Z) (u z : Q).
Definition beyond (k : Z) : Q := (z + inject_Z 2 * (inject_Z k * u))%Q.
Definition weight (p : Z * Z) : Z :=
  let w := beyond (fst p) in
  if Qle_bool 0 w then 0%Z else (snd p * exp_minus true n (inject_Z (fst p) * u) * (2 ^ n - exp_minus false n (- w)))%Z.
Definition weights (l : tally) : Z := fold_right (fun p s => weight p + s)%Z 0%Z l.
(** 1/(1 + exp(-e)) *)
Definition truth (e : Q) : Z := (2 ^ n * 2 ^ n / (2 ^ n + exp_minus false n e) + 1)%Z.
Definition truths (es : list Q) : Z := fold_right (fun e p => times true n p (truth e)) (2 ^ n)%Z es.
End Weights.

(** The sum of all, exact while it has few digits: of many denominators the common one is as long as all of them. Only where
    the point may be that very sum are more kept. *)
Definition sum_above (bits : Z) (es : list Q) : Q :=
  fold_right (fun e t => short_above {| exact := true; grain := 0; room := bits; rough := 0 |} (plus e t)) 0%Q es.
Definition no_more_in_all (t : Q) (es : list Q) (x : Q) : bool :=
  if Qle_bool t x then true else if Qle_bool t (x * (1 + (1 # 2 ^ 64))) then Qle_bool (sum_above 16384 es) x else false.

Definition unequal_above (es : list Q) (x : Q) : option Q :=
  let t := sum_above 1024 es in
  let* _ := guard (forallb (Qle_bool 0) es) in
  if no_more_in_all t es x then Some 0%Q else
  let fs := map Qred (if few es then es else map (rounded_up (grid_of t)) es) in
  let d := common fs in let u := (1 # d)%Q in let ms := map (in_units d) fs in
  let* _ := guard (Nat.eqb (length ms) (length es) && forallb (fun p => Z.leb 0 (snd p) && Qle_bool (fst p) (inject_Z (snd p) * u)) (combine es ms)) in
  let s := (inject_Z (fold_right Z.add 0%Z ms) * u)%Q in
  let* _ := guard (Qle_bool s limit) in
  let n := (192 + Z.of_nat (length es) + 2 * Qceiling s + lost s)%Z in
  let l := sums ms in
  let* _ := guard (Z.leb 0 n && forallb (fun p => Z.leb 0 (fst p) && Z.leb 0 (snd p)) l) in
  Some (weights n u (x - s) l * truths n (map (fun m => inject_Z m * u)%Q ms) # Z.to_pos (2 ^ (n + n + n)))%Q.

(** 1 - product of (1 - delta_i) *)
Definition told_above (md : mode) (ds : list Q) : Q := fold_right (fun d t => delta_above md (t + Qmin d 1 * (1 - t)))%Q 0%Q ds.

Definition as_pair (m : measure) (l : loss) : loss := match m with MApprox => l | _ => (fst l, 0%Q) end.
Definition unequal_delta (md : mode) (ls : list loss) (x : Q) : option loss :=
  let* found := unequal_above (map fst ls) x in
  let f := Qmin1 found in let t := Qmin1 (told_above md (map snd ls)) in
  Some (Qmax0 (f + (1 - f) * t), 0%Q).
Definition unequal_curve (md : mode) (m : measure) (ls : list loss) (xs : list Q) : option (list loss) := all_of (unequal_delta md (map (as_pair m) ls)) xs.

(** ** What the tallies say *)
Definition over (w : R) : R := Rmax 0 (1 - exp w).
Lemma over_nonneg w : 0 <= over w. Proof. apply Rmax_l. Qed.

Section Tally.
Variable u : R.
Definition item (z : R) (p : Z * Z) : R := IZR (snd p) * exp (- (IZR (fst p) * u)) * over (z + 2 * (IZR (fst p) * u)).
Definition amount (z : R) (l : tally) : R := fold_right (fun p s => item z p + s) 0 l.

Lemma amount_merge z a : forall b, amount z (merge a b) = amount z a + amount z b.
Proof.
  induction a as [|[k c] a IHa]; intros b; [destruct b; simpl; ring|].
  induction b as [|[j d] b IHb]; [simpl; ring|]. cbn [merge].
  destruct (Z.ltb_spec k j) as [_|L].
  - cbn [amount fold_right]. fold (amount z (merge a ((j, d) :: b))). rewrite IHa. cbn [amount fold_right]. fold (amount z a) (amount z b). ring.
  - destruct (Z.ltb_spec j k) as [_|L'].
    + cbn [amount fold_right]. match goal with |- context [fold_right _ 0 ?m] => change (fold_right (fun p s => item z p + s) 0 m) with (amount z m) end.
      change (item z (j, d) + amount z (merge ((k, c) :: a) b) = item z (k, c) + amount z a + (item z (j, d) + amount z b)).
      rewrite IHb. cbn [amount fold_right]. fold (amount z a). ring.
    + assert (k = j) by lia. subst j. cbn [amount fold_right]. fold (amount z (merge a b)) (amount z a) (amount z b). rewrite IHa.
      unfold item; cbn [fst snd]. rewrite plus_IZR. ring.
Qed.

Lemma amount_shift z m l : amount z (shift m l) = exp (- (IZR m * u)) * amount (z + 2 * (IZR m * u)) l.
Proof.
  induction l as [|[k c] l IH]; cbn [shift map amount fold_right]; [ring|]. fold (shift m l) (amount z (shift m l)) (amount (z + 2 * (IZR m * u)) l).
  rewrite IH, Rmult_plus_distr_l. f_equal. unfold item; cbn [fst snd]. rewrite plus_IZR.
  replace (- ((IZR k + IZR m) * u)) with (- (IZR m * u) + - (IZR k * u)) by ring. rewrite exp_plus.
  replace (z + 2 * ((IZR k + IZR m) * u)) with (z + 2 * (IZR m * u) + 2 * (IZR k * u)) by ring. ring.
Qed.

Definition real_of (m : Z) : R := IZR m * u.
Definition whole_sum (ms : list Z) : R := fold_right (fun m s => real_of m + s) 0 ms.
Definition whole_product (ms : list Z) : R := fold_right (fun m s => (1 + exp (- real_of m)) * s) 1 ms.

Lemma whole_product_pos ms : 0 < whole_product ms.
Proof. induction ms as [|m ms IH]; cbn [whole_product fold_right]; [lra|]. fold (whole_product ms). pose proof (exp_pos (- real_of m)). nra. Qed.

Lemma heads_is e : heads e = / (1 + exp (- e)) /\ tails e = exp (- e) * / (1 + exp (- e)).
Proof.
  pose proof (exp_pos e) as E. assert (I : exp (- e) = / exp e) by apply exp_Ropp. unfold tails, heads. rewrite I. split; field; split; lra.
Qed.

Lemma unequal_sums ms : forall x, unequal (map real_of ms) x * whole_product ms = amount (x - whole_sum ms) (sums ms).
Proof.
  induction ms as [|m ms IH]; intros x.
  - cbn [map unequal whole_product whole_sum fold_right sums amount]. unfold item, over; cbn [fst snd].
    replace (- (0 * u)) with 0 by ring. rewrite exp_0. replace (x - 0 + 2 * (0 * u)) with x by ring. ring.
  - cbn [map unequal whole_product whole_sum fold_right sums]. fold (whole_product ms) (whole_sum ms) (sums ms).
    rewrite amount_merge, amount_shift. destruct (heads_is (real_of m)) as [-> ->].
    pose proof (IH (x - real_of m)) as I1. pose proof (IH (x + real_of m)) as I2. pose proof (exp_pos (- real_of m)).
    replace (x - (real_of m + whole_sum ms)) with (x - real_of m - whole_sum ms) by ring.
    replace (x - real_of m - whole_sum ms + 2 * (IZR m * u)) with (x + real_of m - whole_sum ms) by (unfold real_of; ring).
    rewrite <- I1, <- I2. fold (real_of m). field. lra.
Qed.
End Tally.

Lemma unequal_0 es : Forall (fun e => 0 <= e) es -> forall x, fold_right Rplus 0 es <= x -> unequal es x = 0.
Proof.
  induction 1 as [|e es H _ IH]; intros x L; cbn [unequal fold_right] in *.
  - apply Rmax_left. assert (exp 0 <= exp x) by now apply exp_le. rewrite exp_0 in *. lra.
  - rewrite !IH by lra. ring.
Qed.

(** ** From above *)
Section Above.
Variables (n : Z) (u z : Q).
Hypothesis n_nonneg : (0 <= n)%Z.
Hypothesis u_nonneg : 0 <= Q2R u.

Lemma beyond_R k : Q2R (beyond u z k) = Q2R z + 2 * (IZR k * Q2R u).
Proof. unfold beyond. now rewrite Q2R_plus, !Q2R_mult, !Q2R_Z. Qed.

Lemma weight_ok p : (0 <= fst p)%Z -> (0 <= snd p)%Z -> (0 <= weight n u z p)%Z /\ item (Q2R u) (Q2R z) p <= units (n + n) (weight n u z p).
Proof.
  intros K C. unfold weight, item. cbv zeta. pose proof (U_pos n_nonneg) as Un. destruct (Qle_bool 0 (beyond u z (fst p))) eqn:E.
  - apply Qle_R in E. rewrite Q2R_0, beyond_R in E. split; [lia|]. unfold over. rewrite Rmax_left.
    + unfold units. rewrite Rmult_0_r. unfold Rdiv. rewrite Rmult_0_l. lra.
    + assert (exp 0 <= exp (Q2R z + 2 * (IZR (fst p) * Q2R u))) by now apply exp_le. rewrite exp_0 in *. lra.
  - assert (Ku : 0 <= Q2R (inject_Z (fst p) * u)) by (rewrite Q2R_mult, Q2R_Z; apply Rmult_le_pos; [now apply IZR_le | exact u_nonneg]).
    destruct (exp_minus_above n_nonneg Ku) as [A0 A]. rewrite Q2R_mult, Q2R_Z in A.
    destruct (exp_minus_below (- beyond u z (fst p)) n_nonneg) as [B0 B]. rewrite Q2R_opp, Ropp_involutive, beyond_R in B.
    set (a := exp_minus true n _) in *. set (b := exp_minus false n _) in *. apply Qgt_R in E. rewrite Q2R_0, beyond_R in E.
    assert (W1 : exp (Q2R z + 2 * (IZR (fst p) * Q2R u)) <= 1) by (rewrite <- exp_0; apply exp_le; lra).
    assert (B1 : (b <= 2 ^ n)%Z).
    { apply le_IZR. unfold units in B. apply Rmult_le_compat_r with (r := IZR (2 ^ n)) in B; [|lra].
      unfold Rdiv in B. rewrite Rmult_assoc, Rinv_l, Rmult_1_r in B by lra. nra. }
    split; [apply Z.mul_nonneg_nonneg; [apply Z.mul_nonneg_nonneg; assumption | lia]|].
    replace (snd p * a * (2 ^ n - b))%Z with (snd p * (a * (2 ^ n - b)))%Z by ring.
    assert (V : units (n + n) (snd p * (a * (2 ^ n - b))) = IZR (snd p) * (units n a * units n (2 ^ n - b))).
    { rewrite units_mult by exact n_nonneg. unfold units. rewrite mult_IZR. unfold Rdiv. ring. }
    rewrite V, Rmult_assoc. apply Rmult_le_compat_l; [now apply IZR_le|].
    apply Rmult_le_compat; [left; apply exp_pos | apply over_nonneg | exact A|]. unfold over. apply Rmax_lub.
    + apply units_nonneg; [exact n_nonneg | lia].
    + unfold Z.sub. rewrite units_plus, units_one by exact n_nonneg. unfold units in *. rewrite opp_IZR. unfold Rdiv in *. lra.
Qed.

Lemma weights_ok l : Forall (fun p => (0 <= fst p)%Z /\ (0 <= snd p)%Z) l ->
  (0 <= weights n u z l)%Z /\ amount (Q2R u) (Q2R z) l <= units (n + n) (weights n u z l).
Proof.
  unfold weights, amount. induction 1 as [|p l [K C] _ [I0 I1]]; cbn [fold_right].
  - split; [lia|]. unfold units, Rdiv. rewrite Rmult_0_l. lra.
  - destruct (weight_ok p K C) as [W0 W1]. split; [lia|]. rewrite units_plus. lra.
Qed.

Lemma truth_ok e : (0 <= truth n e)%Z /\ / (1 + exp (- Q2R e)) <= units n (truth n e).
Proof.
  unfold truth. destruct (exp_minus_below e n_nonneg) as [r0 r1]. set (rl := exp_minus false n e) in *. pose proof (U_pos n_nonneg) as U.
  pose proof (exp_pos (- Q2R e)) as E. assert (D : (0 < 2 ^ n + rl)%Z) by (apply lt_IZR; rewrite plus_IZR; apply IZR_le in r0; lra).
  pose proof (@div_R (2 ^ n * 2 ^ n) (2 ^ n + rl) D) as [_ V]. rewrite mult_IZR, plus_IZR in V. apply IZR_le in r0 as r0'.
  split; [pose proof (Z.div_pos (2 ^ n * 2 ^ n) (2 ^ n + rl) ltac:(nia) D); lia|]. unfold units in *. rewrite plus_IZR.
  apply Rle_trans with (/ (1 + IZR rl / IZR (2 ^ n))).
  - apply Rinv_le_contravar; [|lra]. assert (0 <= IZR rl / IZR (2 ^ n)) by (apply Rmult_le_pos; [lra | left; now apply Rinv_0_lt_compat]). lra.
  - replace (/ (1 + IZR rl / IZR (2 ^ n))) with (IZR (2 ^ n) * IZR (2 ^ n) / (IZR (2 ^ n) + IZR rl) / IZR (2 ^ n)) by (field; lra).
    apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat | lra].
Qed.

Lemma truths_ok ms : (0 <= truths n (map (fun m => inject_Z m * u)%Q ms))%Z /\
  / whole_product (Q2R u) ms <= units n (truths n (map (fun m => inject_Z m * u)%Q ms)).
Proof.
  induction ms as [|m ms [I0 I1]]; cbn [map truths fold_right whole_product].
  - split; [apply Z.pow_nonneg; lia|]. rewrite units_one by exact n_nonneg. rewrite Rinv_1. lra.
  - fold (truths n (map (fun m => inject_Z m * u)%Q ms)) (whole_product (Q2R u) ms).
    destruct (truth_ok (inject_Z m * u)) as [T0 T1]. rewrite Q2R_mult, Q2R_Z in T1. fold (real_of (Q2R u) m) in T1.
    pose proof (whole_product_pos (Q2R u) ms) as W. pose proof (exp_pos (- real_of (Q2R u) m)) as E.
    destruct (@times_ok true n n (truths n (map (fun m => inject_Z m * u)%Q ms)) (truth n (inject_Z m * u))
      (/ whole_product (Q2R u) ms) (/ (1 + exp (- real_of (Q2R u) m)))) as [P0 P1]; auto;
      try (left; apply Rinv_0_lt_compat; lra).
    split; [exact P0|]. cbn [safe] in P1. rewrite Rinv_mult. rewrite Rmult_comm. exact P1.
Qed.
End Above.

(** The losses that are worked with are no smaller. *)
Definition stands_for (e e' : R) : Prop := 0 <= e <= e'.

Lemma sum_above_ok bits es : fold_right Rplus 0 (map Q2R es) <= Q2R (sum_above bits es).
Proof.
  unfold sum_above. induction es as [|e es IH]; cbn [map fold_right]; [rewrite Q2R_0; lra|].
  eapply Rle_trans; [|apply short_above_ok]. rewrite plus_ok. lra.
Qed.
Lemma no_more_ok es x : no_more_in_all (sum_above 1024 es) es x = true -> fold_right Rplus 0 (map Q2R es) <= Q2R x.
Proof.
  unfold no_more_in_all. destruct (Qle_bool _ x) eqn:E; [intros _; apply Qle_R in E; eapply Rle_trans; [apply sum_above_ok | exact E]|].
  destruct (Qle_bool _ (x * _)); [|discriminate]. intros F. apply Qle_R in F. eapply Rle_trans; [apply sum_above_ok | exact F].
Qed.

Lemma unequal_above_ok es x q : unequal_above es x = Some q -> Forall (fun e => 0 <= Q2R e) es /\
  exists fs, Forall2 stands_for (map Q2R es) fs /\ unequal fs (Q2R x) <= Q2R q.
Proof.
  unfold unequal_above, bind_option, guard. set (t := sum_above 1024 es). destruct (forallb (Qle_bool 0) es) eqn:Pos; [|discriminate].
  assert (N : Forall (fun e => 0 <= Q2R e) es).
  { rewrite forallb_forall in Pos. apply Forall_forall. intros e I. apply Pos, Qle_R in I. now rewrite Q2R_0 in I. }
  destruct (no_more_in_all t es x) eqn:E.
  - intros H; injection H as <-. split; [exact N|]. exists (map Q2R es). split.
    + clear -N. induction N; simpl; constructor; auto. split; lra.
    + rewrite unequal_0, Q2R_0; [lra | now apply Forall_map |]. exact (no_more_ok _ _ E).
  - cbv zeta. set (fs := map Qred _). set (d := common fs). set (u := (1 # d)%Q). set (ms := map (in_units d) fs).
    destruct (Nat.eqb (length ms) (length es) && _)%bool eqn:G; [|discriminate]. apply andb_prop in G. destruct G as [G1 G2]. apply Nat.eqb_eq in G1.
    clearbody ms d. clear fs. set (s := (inject_Z (fold_right Z.add 0%Z ms) * u)%Q). destruct (Qle_bool s limit); [|discriminate].
    set (n := (192 + _ + _ + _)%Z). destruct (Z.leb 0 n && forallb _ (sums ms))%bool eqn:F; [|discriminate]. apply andb_prop in F. destruct F as [F1 F2].
    apply Z.leb_le in F1. clearbody n. intros H; injection H as <-. split; [exact N|]. exists (map (real_of (Q2R u)) ms).
    assert (U0 : 0 <= Q2R u) by (unfold u, Q2R; simpl; rewrite Rmult_1_l; left; apply Rinv_0_lt_compat, IZR_lt; lia). split.
    + clear -N G1 G2. revert ms G1 G2. induction N as [|e es N0 _ IH]; intros [|m ms] G1 G2; try discriminate; [constructor|]. cbn [combine forallb fst snd] in G2.
      apply andb_prop in G2. destruct G2 as [G2 G3]. apply andb_prop in G2. destruct G2 as [_ G2]. apply Qle_R in G2. rewrite Q2R_mult, Q2R_Z in G2.
      cbn [map]. constructor; [split; [exact N0 | exact G2] | apply IH; [now injection G1 | exact G3]].
    + assert (L : Forall (fun p => (0 <= fst p)%Z /\ (0 <= snd p)%Z) (sums ms)).
      { rewrite forallb_forall in F2. apply Forall_forall. intros p I. apply F2, andb_prop in I. destruct I as [I1 I2]. split; now apply Z.leb_le. }
      destruct (@weights_ok n u (x - s) F1 U0 (sums ms) L) as [W0 W1]. destruct (@truths_ok n u F1 ms) as [T0 T1].
      pose proof (unequal_sums (Q2R u) ms (Q2R x)) as K. pose proof (whole_product_pos (Q2R u) ms) as P.
      assert (S : Q2R x - whole_sum (Q2R u) ms = Q2R (x - s)).
      { rewrite Q2R_minus. f_equal. f_equal. unfold s. rewrite Q2R_mult, Q2R_Z. clear. induction ms as [|m ms IH]; cbn [whole_sum fold_right]; [ring|].
        fold (whole_sum (Q2R u) ms). rewrite IH, plus_IZR. unfold real_of. ring. }
      rewrite S in K. assert (V : unequal (map (real_of (Q2R u)) ms) (Q2R x) = amount (Q2R u) (Q2R (x - s)) (sums ms) * / whole_product (Q2R u) ms)
        by (rewrite <- K; field; lra).
      rewrite V, Q2R_over by lia. fold (units (n + n + n) (weights n u (x - s) (sums ms) * truths n (map (fun m => inject_Z m * u)%Q ms))).
      rewrite <- units_mult by lia. apply Rmult_le_compat; [| left; now apply Rinv_0_lt_compat | exact W1 | exact T1].
      unfold amount. clear -L. induction L as [|p l [_ C] _ IH]; cbn [fold_right]; [lra|]. apply Rplus_le_le_0_compat; [|exact IH].
      unfold item. apply Rmult_le_pos; [apply Rmult_le_pos; [now apply IZR_le | left; apply exp_pos] | apply over_nonneg].
Qed.

Lemma told_above_ok md ds : Forall (fun d => 0 <= Q2R d) ds -> 1 - none_told (map Q2R ds) <= Q2R (told_above md ds).
Proof.
  unfold none_told, told_above. induction 1 as [|d ds H _ IH]; cbn [map fold_right]; [rewrite Q2R_0; lra|].
  eapply Rle_trans; [|apply delta_above_ok]. rewrite Q2R_plus, Q2R_mult, Q2R_minus, Q2R_min, Q2R_1.
  set (t := Q2R (fold_right _ 0%Q ds)) in *. set (s := fold_right _ 1 (map Q2R ds)) in *. clearbody t s.
  assert (0 <= Rmin (Q2R d) 1 <= 1) by (split; [apply Rmin_glb; lra | apply Rmin_r]). nra.
Qed.

Lemma Qmin1_above q y : y <= Q2R q -> y <= 1 -> y <= Q2R (Qmin1 q) <= 1.
Proof. exact (@Qmin1_ok q y). Qed.

Lemma as_pair_nonneg m l : nonneg_loss l -> nonneg_loss (as_pair m l).
Proof. intros [H K]. destruct m; split; cbn [as_pair fst snd]; auto; rewrite Q2R_0; lra. Qed.
Lemma as_pair_ind m p A (P Q : dist A) l : match m with MPure | MApprox => True | _ => False end -> meets m p P Q (real m l) ->
  ind P Q (Q2R (fst (as_pair m l))) (Q2R (snd (as_pair m l))).
Proof. destruct m; try contradiction; intros _ H; cbn [meets real as_pair fst snd] in *; [rewrite Q2R_0; exact H | exact H]. Qed.

Lemma unequal_delta_ok md X A (Ms : list (X -> dist A)) ls x y pt j : unequal_delta md ls pt = Some j -> Forall nonneg_loss ls ->
  Forall2 (fun M l => ind (M x) (M y) (Q2R (fst l)) (Q2R (snd l)) /\ ind (M y) (M x) (Q2R (fst l)) (Q2R (snd l))) Ms ls ->
  meets MProfile (Q2R pt) (all Ms x) (all Ms y) (Q2R (fst j)).
Proof.
  unfold unequal_delta, bind_option. destruct (unequal_above (map fst ls) pt) as [q|] eqn:E; [|discriminate]. intros H; injection H as <-. intros N F _. cbn [fst].
  apply unequal_above_ok in E. destruct E as [_ (fs & S & B)].
  assert (Nd : Forall (fun d => 0 <= Q2R d) (map snd ls)) by (apply Forall_map; revert N; apply Forall_impl; now intros l []).
  pose proof (told_above_ok md Nd) as T. set (found := Qmin1 q). set (t := Qmin1 (told_above md (map snd ls))).
  rewrite map_map in S, T.
  (* the losses as they are worked with *)
  set (ks := combine fs (map (fun l : loss => Q2R (snd l)) ls)).
  assert (K : Forall2 (fun (M : X -> dist A) (k : R * R) => ind (M x) (M y) (fst k) (snd k) /\ ind (M y) (M x) (fst k) (snd k)) Ms ks /\
    Forall (fun k : R * R => 0 <= fst k /\ 0 <= snd k) ks /\ map fst ks = fs /\ map snd ks = map (fun l : loss => Q2R (snd l)) ls).
  { unfold ks. clear -F N S. revert fs S N. induction F as [|M l Ms ls [H1 H2] _ IH]; intros fs S N; inversion S as [|? f ? gs [S0 S1] S']; subst; inversion N as [|? ? [_ N2] N']; subst.
    - repeat split; constructor.
    - destruct (IH gs S' N') as (I1 & I2 & I3 & I4). cbn [map combine fst snd]. repeat split; try constructor; cbn [fst snd]; auto; try (f_equal; assumption);
      try (split; [eapply ind_weaken; [exact S1 | apply Rle_refl | exact H1] | eapply ind_weaken; [exact S1 | apply Rle_refl | exact H2]]); split; lra. }
  destruct K as (K1 & K2 & K3 & K4). pose proof (@unequal_ind X A x y Ms ks K1 K2 (Q2R pt)) as C. unfold unequal_approx in C. rewrite K3, K4 in C.
  pose proof (unequal_between fs (Q2R pt)) as [L0 L1].
  assert (Z : 0 <= none_told (map (fun l => Q2R (snd l)) ls) <= 1) by (apply none_told_between, Forall_map; revert N; apply Forall_impl; intros l [_ Hl]; exact Hl).
  pose proof (@Qmin1_above q _ B L1) as [F0 F1]. fold found in F0, F1.
  pose proof (@Qmin1_above (told_above md (map snd ls)) (1 - none_told (map (fun l => Q2R (snd l)) ls)) T ltac:(lra)) as [T0 T1]. fold t in T0, T1.
  apply ind_weaken with (3 := C); [apply Rle_refl|]. eapply Rle_trans; [|apply Qmax0_ge]. rewrite Q2R_plus, Q2R_mult, Q2R_minus, Q2R_1.
  set (u := unequal fs (Q2R pt)) in *. set (s := none_told _) in *. clearbody u s.
  assert (M : (1 - Q2R t) * (1 - Q2R found) <= s * (1 - u)) by (apply Rmult_le_compat; lra). lra.
Qed.

Theorem unequal_ok md m X A (Ms : list (X -> dist A)) p ls x y xs js : match m with MPure | MApprox => True | _ => False end -> Forall nonneg_loss ls ->
  unequal_curve md m ls xs = Some js -> Forall nonneg_loss js /\ length xs = length js /\
  (Forall2 (fun M l => meets m p (M x) (M y) (real m l)) Ms ls -> Forall2 (fun M l => meets m p (M y) (M x) (real m l)) Ms ls ->
    Forall2 (fun q j => meets MProfile (Q2R q) (all Ms x) (all Ms y) (Q2R (fst j))) xs js).
Proof.
  intros T N H. apply all_of_ok in H. split; [|split; [exact (Forall2_lengths H)|]].
  - apply Forall2_Forall_r with (2 := H). intros q j. unfold unequal_delta, bind_option. destruct (unequal_above _ _); [|discriminate].
    intros E; injection E as <-. apply nonneg_figure, Qmax0_nonneg.
  - intros H1 H2. apply Forall2_weaken with (2 := H). intros q j E. apply unequal_delta_ok with (1 := E).
    + apply Forall_map. revert N; apply Forall_impl. intros; now apply as_pair_nonneg.
    + clear -T H1 H2. induction H1 as [|M l Ms ls K1 _ IH]; inversion H2; subst; cbn [map]; constructor; [split; now apply as_pair_ind with (m := m) (p := p) | now apply IH].
Qed.
