(** * Losses as rationals, and what they stand for

    A loss is two figures, of which only ApproxDP uses the second. [real] says which loss of the theory it is. *)
From Coq Require Import ZArith QArith Qround Qreals Reals Lra Lia List Bool Permutation.
From DPcore Require Import Distributions Indistinguishability Measures Combinators Renyi.
From DPchecker Require Import Language Meaning Numbers Exponentials.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Definition loss : Type := Q * Q.

(** ** The measures of the theory *)
Definition figures (m : measure) : Type := match m with MApprox => R * R | _ => R end.
Definition meets (m : measure) : Measures.measure (figures m) :=
  match m with MPure => pure | MApprox => approx | MZcdp => zcdp | MTotalVariation => total_variation end.
Definition real (m : measure) : loss -> figures m :=
  match m with
  | MApprox => fun l => (Q2R (fst l), Q2R (snd l))
  | MPure | MZcdp | MTotalVariation => fun l => Q2R (fst l)
  end.

#[export] Instance losses_of m : losses (figures m) := match m with MApprox => losses_pair | MPure | MZcdp | MTotalVariation => losses_number end.
#[export] Instance divergence_of m : divergence (meets m) :=
  match m with MPure => divergence_pure | MApprox => divergence_approx | MZcdp => divergence_zcdp | MTotalVariation => divergence_total_variation end.
#[export] Instance composes_of m : composes (meets m) :=
  match m with MPure => composes_pure | MApprox => composes_approx | MZcdp => composes_zcdp | MTotalVariation => composes_total_variation end.
#[export] Instance groups_of m : groups (meets m) :=
  match m with MPure => groups_pure | MApprox => groups_approx | MZcdp => groups_zcdp | MTotalVariation => groups_total_variation end.

Definition measure_eqb (a b : measure) : bool :=
  match a, b with MPure, MPure | MApprox, MApprox | MZcdp, MZcdp | MTotalVariation, MTotalVariation => true | _, _ => false end.
Lemma measure_eqb_eq a b : measure_eqb a b = true -> a = b. Proof. destruct a, b; discriminate || reflexivity. Qed.

Definition at_most (k l : loss) : Prop := Q2R (fst k) <= Q2R (fst l) /\ Q2R (snd k) <= Q2R (snd l).
Definition nonneg_loss (l : loss) : Prop := 0 <= Q2R (fst l) /\ 0 <= Q2R (snd l).

Lemma real_le m k l : at_most k l -> le (real m k) (real m l).
Proof. destruct m; intros [H K]; simpl; auto. Qed.
Lemma real_nonneg m l : nonneg_loss l -> le zero (real m l).
Proof. destruct m; intros [H K]; simpl; auto. Qed.

(** ** Sums, by halves

    Where denominators grow beyond [cap] bits, a sum is rounded up to a multiple of 2^-[grain]. Fractions are reduced, or, in
    the fast mode, only those of one denominator are added as such. *)
Record mode := { fast : bool; cap : Z; grain : Z }.

Section Rounding.
Variable md : mode.

Definition added (a b : Q) : Q :=
  if Pos.eqb (Qden a) (Qden b) then (Qnum a + Qnum b # Qden a)%Q
  else if fast md then (a + b)%Q else Qred (a + b).

Definition rounded_up (q : Q) : Q :=
  if Z.leb (Z.log2 (Zpos (Qden q))) (cap md) || Z.ltb (grain md) 0 then q
  else let one := Z.to_pos (2 ^ grain md) in
       if Pos.eqb (Qden q) one then q else (- ((- (Qnum q * 2 ^ grain md)) / Zpos (Qden q)) # one)%Q.

Lemma added_ok a b : Q2R (added a b) = Q2R a + Q2R b.
Proof.
  unfold added. destruct (Pos.eqb (Qden a) (Qden b)) eqn:E.
  - apply Pos.eqb_eq in E. unfold Q2R; simpl. rewrite plus_IZR, E. ring.
  - destruct (fast md); rewrite ?Q2R_red; apply Q2R_plus.
Qed.

Lemma rounded_up_ok q : Q2R q <= Q2R (rounded_up q).
Proof.
  unfold rounded_up. destruct (Z.leb _ (cap md)); cbn [orb]; [lra|]. destruct (Z.ltb (grain md) 0) eqn:N; [lra|].
  apply Z.ltb_ge in N. cbv zeta. destruct (Pos.eqb (Qden q) _); [lra|].
  rewrite Q2R_over by exact N. pose proof (U_pos N) as HU.
  pose proof (@div_R (- (Qnum q * 2 ^ grain md)) (Zpos (Qden q)) ltac:(lia)) as [D _]. rewrite opp_IZR, mult_IZR in D. rewrite opp_IZR.
  apply Rmult_le_reg_r with (IZR (2 ^ grain md)); [exact HU|]. unfold Rdiv at 1. rewrite (Rmult_assoc (- _)), Rinv_l, Rmult_1_r by lra.
  unfold Q2R. unfold Rdiv in D. set (i := / IZR (Zpos (Qden q))) in *. set (u := IZR (2 ^ grain md)) in *. set (n := IZR (Qnum q)) in *.
  replace (n * i * u) with (- (- (n * u) * i)) by ring. lra.
Qed.

Fixpoint by_pairs (l : list Q) : list Q :=
  match l with a :: b :: l => rounded_up (added a b) :: by_pairs l | l => l end.
Fixpoint halving (fuel : nat) (l : list Q) : Q :=
  match fuel, l with
  | _, [] => 0
  | _, [a] => a
  | O, l => fold_right Qplus 0%Q l
  | S fuel, l => halving fuel (by_pairs l)
  end.
Definition total (l : list Q) : Q := halving 40 l.

Definition sum_R (l : list Q) : R := fold_right (fun a s => Q2R a + s) 0 l.

Lemma by_pairs_ok l : sum_R l <= sum_R (by_pairs l).
Proof.
  assert (H : forall n l, (length l <= n)%nat -> sum_R l <= sum_R (by_pairs l)); [|now apply (H (length l))].
  induction n as [|n IH]; intros [|a [|b k]] L; try (simpl; lra); [simpl in L; lia|].
  change (Q2R a + (Q2R b + sum_R k) <= Q2R (rounded_up (added a b)) + sum_R (by_pairs k)). simpl in L.
  specialize (IH k ltac:(lia)). pose proof (rounded_up_ok (added a b)) as R. rewrite added_ok in R. lra.
Qed.
Lemma sum_R_fold l : Q2R (fold_right Qplus 0%Q l) = sum_R l.
Proof. induction l as [|a l IH]; simpl; [apply Q2R_0|]. now rewrite Q2R_plus, IH. Qed.
Lemma halving_ok fuel l : sum_R l <= Q2R (halving fuel l).
Proof.
  revert l; induction fuel as [|fuel IH]; intros [|a [|b k]]; cbn [halving]; try (cbn [sum_R fold_right]; rewrite ?Q2R_0; lra).
  - rewrite sum_R_fold. lra.
  - eapply Rle_trans; [apply by_pairs_ok | apply IH].
Qed.
Lemma total_ok l : sum_R l <= Q2R (total l). Proof. apply halving_ok. Qed.

Definition together (ls : list loss) : loss := (total (map fst ls), total (map snd ls)).
End Rounding.

Lemma together_ok m md ls : le (plus_all (map (real m) ls)) (real m (together md ls)).
Proof.
  assert (S : forall (f : loss -> Q) ls, fold_right Rplus 0 (map (fun l => Q2R (f l)) ls) <= Q2R (total md (map f ls))).
  { intros f ks. eapply Rle_trans; [|apply total_ok]. right. induction ks; simpl; congruence. }
  destruct m; unfold plus_all; simpl.
  - apply (S fst).
  - split; [apply Rle_trans with (2 := S fst ls) | apply Rle_trans with (2 := S snd ls)]; right; induction ls; simpl; congruence.
  - apply (S fst).
  - apply (S fst).
Qed.

(** ** The largest *)
Definition larger (k l : loss) : loss := (Qmax (fst k) (fst l), Qmax (snd k) (snd l)).
Definition worst (ls : list loss) : loss := fold_right larger (0, 0)%Q ls.

Lemma worst_ok m ls : le (largest (map (real m) ls)) (real m (worst ls)).
Proof.
  unfold largest. destruct m; simpl.
  2:{ induction ls as [|l ls [I1 I2]]; simpl; [rewrite Q2R_0; lra|]. rewrite !Q2R_max. split; now apply Rle_max_compat_l. }
  all: induction ls as [|l ls IH]; simpl; [rewrite Q2R_0; lra|]; rewrite Q2R_max; now apply Rle_max_compat_l.
Qed.
Lemma worst_nonneg ls : nonneg_loss (worst ls).
Proof.
  unfold nonneg_loss. induction ls as [|l ls [I1 I2]]; simpl; rewrite ?Q2R_0; [lra|]. rewrite !Q2R_max.
  split; [eapply Rle_trans; [exact I1 | apply Rmax_r] | eapply Rle_trans; [exact I2 | apply Rmax_r]].
Qed.

Lemma largest_le m (ks : list (figures m)) w : le zero w -> (forall l, In l ks -> le l w) -> le (largest ks) w.
Proof.
  intros Z H. induction ks as [|k ks IH]; [exact Z|]. specialize (IH (fun l J => H l (or_intror J))). specialize (H k (or_introl eq_refl)).
  unfold largest in *. destruct m; simpl in *.
  2:{ split; apply Rmax_lub; tauto. }
  all: now apply Rmax_lub.
Qed.
Lemma worst_ge l ls : In l ls -> at_most l (worst ls).
Proof.
  unfold at_most. induction ls as [|k ls IH]; simpl; [tauto|]. rewrite !Q2R_max. intros [->|J].
  - split; apply Rmax_l.
  - destruct (IH J) as [A B]. split; [eapply Rle_trans; [exact A | apply Rmax_r] | eapply Rle_trans; [exact B | apply Rmax_r]].
Qed.

(** The two largest together: no two of the list exceed them. *)
Definition two (l : list Q) : Q * Q :=
  fold_right (fun a p => if Qle_bool a (snd p) then p else if Qle_bool a (fst p) then (fst p, a) else (a, fst p)) (0, 0)%Q l.
Definition worst_two (ls : list loss) : loss :=
  let p := two (map fst ls) in let q := two (map snd ls) in ((fst p + snd p)%Q, (fst q + snd q)%Q).

Lemma two_ok l : let p := two l in 0 <= Q2R (snd p) <= Q2R (fst p) /\ (forall a, In a l -> Q2R a <= Q2R (fst p)) /\
  (forall i j, i <> j -> (i < length l)%nat -> (j < length l)%nat -> Q2R (nth i l 0%Q) + Q2R (nth j l 0%Q) <= Q2R (fst p) + Q2R (snd p)).
Proof.
  induction l as [|a l (O & M & P)]; simpl; [rewrite Q2R_0; repeat split; try lra; intros; lia || tauto|].
  set (p := two l) in *.
  assert (N : forall i, (i < length l)%nat -> Q2R (nth i l 0%Q) <= Q2R (fst p)) by (intros; now apply M, nth_In).
  destruct (Qle_bool a (snd p)) eqn:E; [apply Qle_R in E | apply Qgt_R in E; destruct (Qle_bool a (fst p)) eqn:F; [apply Qle_R in F | apply Qgt_R in F]];
  simpl; (split; [lra|]); (split; [intros b [<-|J]; [lra | specialize (M b J); lra]|]);
  intros [|i] [|j] D Li Lj; try lia;
  try (specialize (N j ltac:(lia)); lra); try (specialize (N i ltac:(lia)); lra); specialize (P i j ltac:(lia) ltac:(lia) ltac:(lia)); lra.
Qed.

(** ** Groups *)
Definition geometric_above (d e : Q) : option Q :=
  if Qeq_bool e 0 then Some d
  else if Qeq_bool d 0 then Some 0%Q
  else if Qlt_bool 8000 (d * e) then None
  else match exp_above (d * e) with
       | Some u => let v := (exp_below e - 1)%Q in if Qle_bool v 0 then None else Some ((u - 1) / v)%Q
       | None => None end.

Lemma geometric_above_ok d e g : 0 <= Q2R d -> 0 <= Q2R e -> geometric_above d e = Some g -> geometric (Q2R d) (Q2R e) <= Q2R g.
Proof.
  unfold geometric_above, geometric. intros Hd He. destruct (Qeq_bool e 0) eqn:E.
  - intros H; injection H as <-. apply Qeq_bool_iff, Qeq_eqR in E. rewrite Q2R_0 in E. destruct (Req_EM_T (Q2R e) 0); lra.
  - destruct (Qeq_bool d 0) eqn:D.
    { intros H; injection H as <-. apply Qeq_bool_iff, Qeq_eqR in D. rewrite Q2R_0 in D |- *. rewrite D. right. apply geometric_0. }
    destruct (Qlt_bool 8000 (d * e)); [discriminate|]. destruct (exp_above (d * e)) as [u|] eqn:U; [|discriminate]. apply exp_above_ok in U. rewrite Q2R_mult in U.
    cbv zeta. destruct (Qle_bool (exp_below e - 1) 0) eqn:V; [discriminate|]. intros H; injection H as <-.
    apply Qgt_R in V. rewrite Q2R_0 in V. rewrite Q2R_div by now apply Qnonzero_R.
    rewrite Q2R_minus, Q2R_1 in V. rewrite !Q2R_minus, Q2R_1.
    pose proof (exp_below_ok e) as B. destruct (Req_EM_T (Q2R e) 0) as [Z|Z].
    { exfalso. rewrite Z, exp_0 in B. lra. }
    assert (1 <= exp (Q2R d * Q2R e)) by (apply exp_ge_1; nra).
    apply Rle_trans with ((Q2R u - 1) / (exp (Q2R e) - 1)).
    + apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra | lra].
    + apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; lra.
Qed.

(** The loss at distance [d], from the loss at distance 1. *)
Definition lifted (m : measure) (d : Q) (l : loss) : option loss :=
  match m with
  | MPure | MTotalVariation => Some (Qred (d * fst l), 0)%Q
  | MZcdp => Some (Qred (d * d * fst l), 0)%Q
  | MApprox =>
      if Qeq_bool d 1 then Some l
      else match geometric_above d (fst l) with Some g => Some (Qred (d * fst l), snd l * g)%Q | None => None end
  end.

Lemma lifted_ok m d l k : 0 <= Q2R d -> nonneg_loss l -> lifted m d l = Some k ->
  nonneg_loss k /\ le (group (Q2R d) (real m l)) (real m k).
Proof.
  intros Hd [N1 N2]. unfold nonneg_loss. destruct m; cbn [lifted].
  1,3,4: intros H; injection H as <-; simpl; rewrite Q2R_red, !Q2R_mult, Q2R_0; (split; [split; [|lra] |]); try lra; generalize dependent (Q2R d); generalize dependent (Q2R (fst l)); intros; nra.
  destruct (Qeq_bool d 1) eqn:E.
  { intros H; injection H as <-. apply Qeq_bool_iff, Qeq_eqR in E. rewrite Q2R_1 in E. split; [auto|]. simpl.
    rewrite E, Rmult_1_l. rewrite geometric_1. lra. }
  destruct (geometric_above d (fst l)) as [g|] eqn:G; [|discriminate]. apply geometric_above_ok in G; [|exact Hd | exact N1].
  intros H; injection H as <-. simpl. rewrite Q2R_red, !Q2R_mult.
  pose proof (geometric_nonneg N1 Hd). repeat split; try (apply Rmult_le_pos; lra); try lra.
  apply Rmult_le_compat_l; lra.
Qed.

Lemma group_1 m (l : figures m) : group 1 l = l.
Proof. destruct m; simpl; rewrite ?Rmult_1_l; try reflexivity. destruct l; simpl. now rewrite geometric_1, Rmult_1_r. Qed.
