(** * Optimal composition of unequal losses (Murtagh and Vadhan 2018, Theorem 1.5)

    Of pairs of coins of losses eps_1 ... eps_k let [unequal] be the least delta at x. One coin more shifts x by its own eps,
    down for heads and up for tails, as for equal ones. *)
From Coq Require Import Reals Lra Psatz Lia List.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Norms Combinators OptimalComposition ApproxCore ApproxComposition.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Fixpoint unequal (es : list R) (x : R) : R :=
  match es with [] => Rmax 0 (1 - exp x) | e :: es => heads e * unequal es (x - e) + tails e * unequal es (x + e) end.

(** The chance that none of the releases tells all; a delta above 1 counts as 1. *)
Definition none_told (deltas : list R) : R := fold_right (fun delta s => (1 - Rmin delta 1) * s) 1 deltas.

Definition unequal_approx (ls : list (R * R)) (x : R) : R := 1 - none_told (map snd ls) * (1 - unequal (map fst ls) x).

Lemma heads_tails_1 e : heads e + tails e = 1.
Proof. unfold tails; ring. Qed.

Lemma unequal_between es : forall x, 0 <= unequal es x <= 1.
Proof.
  induction es as [|e es IH]; intros x; simpl.
  - pose proof (exp_pos x). split; [apply Rmax_l | apply Rmax_lub; lra].
  - pose proof (IH (x - e)). pose proof (IH (x + e)). pose proof (heads_tails e) as (_ & t0 & h0). pose proof (heads_tails_1 e). split; nra.
Qed.

Lemma none_told_between ds : Forall (fun d => 0 <= d) ds -> 0 <= none_told ds <= 1.
Proof.
  unfold none_told. induction 1 as [|d ds H _ IH]; simpl; [lra|]. assert (0 <= Rmin d 1 <= 1) by (split; [apply Rmin_glb; lra | apply Rmin_r]). nra.
Qed.

(** Between two inputs. *)
Lemma unequal_ind X A (x y : X) (Ms : list (X -> dist A)) (ls : list (R * R)) :
  Forall2 (fun M l => ind (M x) (M y) (fst l) (snd l) /\ ind (M y) (M x) (fst l) (snd l)) Ms ls ->
  Forall (fun l => 0 <= fst l /\ 0 <= snd l) ls -> forall z, ind (all Ms x) (all Ms y) z (unequal_approx ls z).
Proof.
  intros F. induction F as [|M [e delta] Ms ls [K K'] _ IH]; intros N z.
  - intros f F. unfold unequal_approx. simpl. destruct (F []). pose proof (Rmax_r 0 (1 - exp z)). pose proof (Rmax_l 0 (1 - exp z)). nra.
  - inversion N as [|? ? [e0 d0] N']; subst. cbn [fst snd] in *. specialize (IH N').
    destruct (Rlt_dec delta 1) as [L|L].
    + assert (Step : unequal_approx ((e, delta) :: ls) z =
        delta + (1 - delta) * (heads e * unequal_approx ls (z - e) + tails e * unequal_approx ls (z + e))).
      { unfold unequal_approx. simpl. rewrite Rmin_left by lra. pose proof (heads_tails_1 e) as E.
        replace (tails e) with (1 - heads e) by lra. ring. }
      rewrite Step. simpl all.
      apply (@approx_bind e delta e0 (conj d0 L) _ _ (M x) (M y) (fun a => bind (all Ms x) (fun l => ret (a :: l)))
        (fun a => bind (all Ms y) (fun l => ret (a :: l))) (unequal_approx ls)); auto.
      intros a w. exact (div_post (ms := approx) (all Ms x) (all Ms y) (fun l => ret (a :: l)) (w, unequal_approx ls w) (IH w)).
    + intros f F. pose proof (expect_test (all (M :: Ms) x) F). pose proof (expect_test (all (M :: Ms) y) F). pose proof (exp_pos z).
      unfold unequal_approx. simpl none_told. rewrite Rmin_right by lra. replace ((1 - 1) * _) with 0 by ring. nra.
Qed.

Theorem unequal_composition_approx X A (m : metric X) (Ms : list (X -> dist A)) (losses : list (R -> R * R)) :
  (forall l d, In l losses -> 0 <= d -> 0 <= fst (l d) /\ 0 <= snd (l d)) -> Forall2 (private m approx) Ms losses ->
  private m profile (all Ms) (fun d => unequal_approx (map (fun l => l d) losses)).
Proof.
  intros N H d x y D z _. pose proof (within_nonneg m _ _ _ D) as Hd. apply unequal_ind.
  - clear N. induction H as [|M l Ms ls H _ IH]; simpl; constructor; [|exact IH]. split; [now apply H | apply H, within_sym, D].
  - apply Forall_map, Forall_forall. intros l I. now apply N.
Qed.

Theorem unequal_composition_pure X A (m : metric X) (Ms : list (X -> dist A)) (losses : list (R -> R)) :
  (forall l d, In l losses -> 0 <= d -> 0 <= l d) -> Forall2 (private m pure) Ms losses ->
  private m profile (all Ms) (fun d => unequal (map (fun l => l d) losses)).
Proof.
  intros N H d x y D z _. pose proof (within_nonneg m _ _ _ D) as Hd.
  assert (E : unequal (map (fun l => l d) losses) z = unequal_approx (map (fun l => (l d, 0)) losses) z).
  { unfold unequal_approx. rewrite !map_map. cbn [fst snd].
    assert (O : forall ls : list (R -> R), none_told (map (fun _ => 0) ls) = 1) by (unfold none_told; induction ls; simpl; [reflexivity|]; rewrite IHls, Rmin_left by lra; ring).
    rewrite O. ring. }
  rewrite E. apply unequal_ind.
  - clear N E. induction H as [|M l Ms ls H _ IH]; simpl; constructor; [|exact IH]. cbn [fst snd]. split; [now apply H | apply H, within_sym, D].
  - apply Forall_map, Forall_forall. intros l I. cbn [fst snd]. split; [now apply N | lra].
Qed.
