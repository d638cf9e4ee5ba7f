(** * Optimal composition (Kairouz, Oh, Viswanath 2015, Theorem 3.3)

    Let [curve k x] be the least delta at eps = x of k pairs of coins.
    One coin more shifts x by eps, down for heads and up for
    tails; the closed form is binomial. *)
From Coq Require Import Reals Lra Psatz Lia List.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Norms Combinators BoundedRange.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Section Optimal.
Variable eps : R.
Hypothesis eps_nonneg : 0 <= eps.
Definition heads : R := exp eps / (1 + exp eps).
Definition tails : R := 1 - heads.

Fixpoint curve (k : nat) (x : R) : R :=
  match k with O => Rmax 0 (1 - exp x) | S k => heads * curve k (x - eps) + tails * curve k (x + eps) end.

Lemma heads_tails : heads = exp eps * tails /\ 0 < tails /\ 0 < heads.
Proof.
  pose proof (exp_pos eps). unfold tails, heads. repeat split; [field; lra | | apply Rdiv_lt_0_compat; lra].
  replace (1 - exp eps / (1 + exp eps)) with (/ (1 + exp eps)) by (field; lra). apply Rinv_0_lt_compat; lra.
Qed.

(** If the second draw is within [T], at every x, then with a pair of coins before it both are within T shifted and mixed. *)
Lemma coins_bind A B (P Q : dist A) (K L : A -> dist B) (T : R -> R) : ind P Q eps 0 -> ind Q P eps 0 ->
  (forall a x, ind (K a) (L a) x (T x)) ->
  forall x, ind (bind P K) (bind Q L) x (heads * T (x - eps) + tails * T (x + eps)).
Proof.
  intros H H' HK x f F. destruct heads_tails as (ht & t0 & h0).
  set (g := fun a => K a f). set (h := fun a => L a f).
  assert (Bg : bounded g) by (unfold g; auto with bounded). assert (Bh : bounded h) by (unfold h; auto with bounded).
  assert (HK' : forall z a, g a <= exp z * h a + T z) by (intros z a; apply (HK a z f F)).
  change (P g <= exp x * Q h + (heads * T (x - eps) + tails * T (x + eps))).
  assert (Sum : heads + tails = 1) by (unfold tails; ring).
  destruct eps_nonneg as [He|He].
  - (* the ends of P and Q *)
    assert (E1 : 1 < exp eps) by (rewrite <- exp_0; now apply exp_increasing).
    set (RP := range_of_pure H H'). set (pr := conj (Ropp_lt_gt_0_contravar _ He) He : - eps < 0 < eps).
    destruct (two_coins RP pr) as [EP EQ]. rewrite (EP g Bg), (EQ h Bh). simpl.
    assert (HP : heads_P (- eps) eps = heads).
    { unfold heads_P, heads_Q, heads. rewrite exp_Ropp. field. repeat split; nra. }
    assert (HQ : heads_Q (- eps) eps = tails).
    { unfold heads_P, heads_Q, tails, heads. rewrite exp_Ropp. field. repeat split; nra. }
    rewrite HP, HQ.
    set (U := upper_end RP pr). set (V := lower_end RP pr).
    change (heads * U g + (1 - heads) * V g <= exp x * (tails * U h + (1 - tails) * V h) + (heads * T (x - eps) + tails
      * T (x + eps))).
    assert (bound : forall (W : dist A) z, W g <= exp z * W h + T z).
    { intros W z. apply Rle_trans with (W (fun a => exp z * h a + T z)).
      - apply expect_le; auto with bounded.
      - rewrite expect_plus, expect_scale, expect_const by auto with bounded. lra. }
    pose proof (bound U (x - eps)) as BU. pose proof (bound V (x + eps)) as BV.
    assert (X1 : heads * exp (x - eps) = exp x * tails).
    { unfold Rminus. rewrite exp_plus, exp_Ropp, ht. pose proof (exp_pos eps). field; lra. }
    assert (X2 : tails * exp (x + eps) = exp x * heads) by (rewrite exp_plus, ht; ring).
    replace (1 - heads) with tails by reflexivity. replace (1 - tails) with heads by lra.
    apply Rmult_le_compat_l with (r := heads) in BU; [|lra]. apply Rmult_le_compat_l with (r := tails) in BV; [|lra].
    rewrite Rmult_plus_distr_l, <- Rmult_assoc, X1 in BU. rewrite Rmult_plus_distr_l, <- Rmult_assoc, X2 in BV. lra.
  - (* eps = 0: P and Q are the same *)
    assert (S : same P Q) by (apply (range_improper (range_of_pure H H')); lra).
    rewrite (S g Bg), <- He. unfold Rminus. rewrite Ropp_0, !Rplus_0_r, <- Rmult_plus_distr_r, Sum, Rmult_1_l.
    apply Rle_trans with (Q (fun a => exp x * h a + T x)).
    + apply expect_le; auto with bounded.
    + rewrite expect_plus, expect_scale, expect_const by auto with bounded. lra.
Qed.

(** [sum_i C(k,i) heads^(k-i) tails^i max(0, 1 - exp(x - (k - 2i) eps))]. *)
Definition term (k : nat) (x : R) (i : nat) : R :=
  C k i * (heads ^ (k - i) * tails ^ i) * Rmax 0 (1 - exp (x - (INR k - 2 * INR i) * eps)).

Lemma C_0 n : C n 0 = 1.
Proof. unfold C. rewrite Nat.sub_0_r. simpl (fact 0). simpl INR. field. apply INR_fact_neq_0. Qed.
Lemma C_n n : C n n = 1.
Proof. unfold C. rewrite Nat.sub_diag. simpl (fact 0). simpl INR. field. apply INR_fact_neq_0. Qed.

(** Pascal's triangle, summed. *)
Lemma pascal_sum (u : nat -> R) k :
  sum_f_R0 (fun i => C k i * u i) k + sum_f_R0 (fun i => C k i * u (S i)) k = sum_f_R0 (fun i => C (S k) i * u i) (S k).
Proof.
  destruct k as [|k].
  - simpl. rewrite !C_0, (C_n 1). ring.
  - rewrite (decomp_sum (fun i => C (S k) i * u i)) by lia. rewrite (decomp_sum (fun i => C (S (S k)) i * u i)) by lia.
    simpl pred. rewrite !(tech5 _ k), !C_0, !C_n.
    rewrite (sum_eq (fun i => C (S (S k)) (S i) * u (S i)) (fun i => C (S k) i * u (S i) + C (S k) (S i) * u (S i)) k).
    + rewrite plus_sum. ring.
    + intros i Hi. rewrite <- pascal by lia. ring.
Qed.

Lemma curve_closed k : forall x, curve k x = sum_f_R0 (term k x) k.
Proof.
  induction k as [|k IH]; intros x.
  - simpl. unfold term. rewrite C_0. simpl INR. replace (x - (0 - 2 * 0) * eps) with x by ring. simpl pow. ring.
  - simpl curve. rewrite !IH, !scal_sum.
    set (u := fun i => heads ^ (S k - i) * tails ^ i * Rmax 0 (1 - exp (x - (INR (S k) - 2 * INR i) * eps))).
    rewrite (sum_eq (fun i => term k (x - eps) i * heads) (fun i => C k i * u i) k).
    + rewrite (sum_eq (fun i => term k (x + eps) i * tails) (fun i => C k i * u (S i)) k).
      * rewrite pascal_sum. apply sum_eq. intros i _. unfold term, u. ring.
      * intros i Hi. unfold term, u. replace (S k - S i)%nat with (k - i)%nat by lia.
        rewrite !S_INR. replace (x + eps - (INR k - 2 * INR i) * eps) with (x - (INR k + 1 - 2 * (INR i + 1)) * eps) by ring.
        simpl pow. ring.
    + intros i Hi. unfold term, u. replace (S k - i)%nat with (S (k - i)) by lia.
      rewrite !S_INR. replace (x - eps - (INR k - 2 * INR i) * eps) with (x - (INR k + 1 - 2 * INR i) * eps) by ring.
      simpl pow. ring.
Qed.

(** A probability. *)
Lemma term_sum_le_1 k x : sum_f_R0 (term k x) k <= 1.
Proof.
  rewrite <- curve_closed. revert x. induction k as [|k IH]; intros x; simpl.
  - pose proof (exp_pos x). apply Rmax_lub; lra.
  - destruct heads_tails as (_ & t0 & h0). pose proof (IH (x - eps)). pose proof (IH (x + eps)).
    assert (heads + tails = 1) by (unfold tails; ring). nra.
Qed.

(** In terms of [r = exp (-eps)]: the chance of i is [C(k,i) r^i / (1 + r)^k]. *)
Lemma chance_ratio k i : (i <= k)%nat -> heads ^ (k - i) * tails ^ i = exp (- eps) ^ i / (1 + exp (- eps)) ^ k.
Proof.
  intros H. destruct heads_tails as (ht & t0 & h0). set (r := exp (- eps)). assert (r0 : 0 < r) by apply exp_pos.
  assert (Er : exp eps * r = 1) by (unfold r; rewrite exp_Ropp; apply Rinv_r; pose proof (exp_pos eps); lra).
  assert (T : tails = r * heads) by (rewrite ht; rewrite <- Rmult_assoc, (Rmult_comm r), Er; ring).
  assert (Hd : heads = / (1 + r)).
  { apply Rmult_eq_reg_r with (1 + r); [rewrite Rinv_l by lra; unfold tails in T; lra | lra]. }
  rewrite T, Rpow_mult_distr. replace k with (k - i + i)%nat at 2 by lia. rewrite pow_add, Hd. rewrite !pow_inv.
  assert (0 < (1 + r) ^ (k - i)) by (apply pow_lt; lra). assert (0 < (1 + r) ^ i) by (apply pow_lt; lra). field. split; lra.
Qed.
End Optimal.

(** Of unequal losses the largest is taken for all. *)
Theorem optimal_composition_pure X A (m : metric X) (Ms : list (X -> dist A)) (losses : list (R -> R)) :
  Forall2 (private m pure) Ms losses ->
  private m profile (all Ms) (fun d x => let k := length Ms in sum_f_R0 (term (top (map (fun l => l d) losses)) k x) k).
Proof.
  intros H d x y D z _. set (eps := top (map (fun l => l d) losses)).
  assert (E0 : 0 <= eps) by apply top_nonneg. simpl. rewrite <- curve_closed.
  assert (F : Forall (fun M => ind (M x) (M y) eps 0 /\ ind (M y) (M x) eps 0) Ms).
  { assert (B : forall l, In l losses -> l d <= eps) by (intros l I; apply top_ge, (in_map (fun l => l d)), I).
    clear E0. clearbody eps. induction H as [|M l Ms ls H _ IH]; constructor; [|apply IH; intros; apply B; now right].
    assert (L : l d <= eps) by (apply B; now left). split.
    - apply ind_weaken with (3 := H d x y D); [exact L | apply Rle_refl].
    - apply ind_weaken with (3 := H d y x (within_sym m _ _ _ D)); [exact L | apply Rle_refl]. }
  clear -F E0. revert z; induction F as [|M Ms [K K'] _ IH]; intros z.
  - intros f F. simpl. destruct (F []). pose proof (Rmax_r 0 (1 - exp z)). pose proof (Rmax_l 0 (1 - exp z)). nra.
  - simpl all. apply (@coins_bind eps E0 _ _ (M x) (M y) (fun a => bind (all Ms x) (fun l => ret (a :: l)))
      (fun a => bind (all Ms y) (fun l => ret (a :: l))) (curve eps (length Ms))); auto. intros a w.
    exact (div_post (ms := approx) (all Ms x) (all Ms y) (fun l => ret (a :: l)) (w, curve eps (length Ms) w) (IH w)).
Qed.
