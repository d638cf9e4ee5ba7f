(** * Two probabilities as those of one randomized response

    Let p and q be within a factor of E of each other. Then with

        u = (E p - q)/(E - 1)        v = (E q - p)/(E - 1)

    which are not negative, p = (E u + v)/(E + 1) and q = (u + E v)/(E + 1). Both are linear in (p, q). So where p and q are what
    a mechanism says of two data sets, with whatever was said before, u and v are what two others say that do not see the data; and
    which of them is asked is a randomized response. *)
From Coq Require Import Reals Lra Psatz.
From DPcore Require Import Distributions Indistinguishability.
Open Scope R_scope.
Set Implicit Arguments.

(** At E = 1 p and q are the same. *)
Definition half (E p q : R) : R := if Req_EM_T E 1 then p else (E * p - q) / (E - 1).

(** Which half is asked, of the first data set and of the second. *)
Definition heads (E : R) (first : bool) : R := if first then E / (1 + E) else 1 / (1 + E).

(** Heads, by a number that may be out of range. *)
Definition clamped (p : R) : R := Rmax 0 (Rmin 1 p).
Lemma clamped_between p : 0 <= clamped p <= 1.
Proof. unfold clamped, Rmax, Rmin. repeat destruct (Rle_dec _ _); lra. Qed.
Lemma clamped_id p : 0 <= p <= 1 -> clamped p = p.
Proof. unfold clamped, Rmax, Rmin. repeat destruct (Rle_dec _ _); lra. Qed.
Definition coin (p : R) : dist bool := mix (clamped_between p) (ret true) (ret false).

Section Factor.
Variable E : R.
Hypothesis E1 : 1 <= E.

Lemma half_plus p q p' q' : half E p q + half E p' q' = half E (p + p') (q + q').
Proof. unfold half. destruct (Req_EM_T E 1); [reflexivity | field; lra]. Qed.
Lemma half_one : half E 1 1 = 1.
Proof. unfold half. destruct (Req_EM_T E 1); [reflexivity | field; lra]. Qed.
Lemma half_nonneg p q : 0 <= p -> q <= E * p -> 0 <= half E p q.
Proof.
  intros P H. unfold half. destruct (Req_EM_T E 1); [exact P|]. apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra].
Qed.
Lemma heads_between first : 0 <= heads E first <= 1.
Proof.
  destruct first; unfold heads; split; try (apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]);
    apply Rmult_le_reg_r with (1 + E); try lra; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra.
Qed.
Lemma half_mixed p q first : p <= E * q -> q <= E * p ->
  heads E first * half E p q + (1 - heads E first) * half E q p = if first then p else q.
Proof.
  intros H K. unfold half, heads. destruct first, (Req_EM_T E 1) as [-> | N]; try (field; lra); lra.
Qed.

Lemma heads_close e first : E = exp e -> ind (coin (heads E first)) (coin (heads E (negb first))) e 0.
Proof.
  intros Ee f F. rewrite <- Ee, Rplus_0_r. unfold coin, mix, ret; cbn [expect]. rewrite !clamped_id by apply heads_between.
  destruct (F true) as [a0 a1], (F false) as [b0 b1].
  assert (Q : 1 / (1 + E) = 1 - E / (1 + E)) by (field; lra). assert (R : E / (1 + E) = E * (1 - E / (1 + E))) by (field; lra).
  pose proof (heads_between true) as T. unfold heads in *. destruct first; cbn [negb]; rewrite ?Q; set (r := E / (1 + E)) in *; nra.
Qed.
End Factor.
