(** * The claims of a certificate against what was worked out *)
From Coq Require Import String List ZArith QArith Qreals Reals Lra Lia Bool.
From DPcore Require Import Distributions Indistinguishability Measures Renyi.
From DPchecker Require Import Language Meaning Numbers Distances Losses Promises Stability Cost CostSound.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

(** What is known of any two inputs at the distance of the claim. *)
Definition start (c : certificate) : list fact := Measured (input_metric c) :: facts_of (input c).

(** L2 distances are carried as their squares. *)
Definition carried (m : metric) (d : Q) : Q := match m with L2 => (d * d)%Q | _ => d end.

Definition no_more (l k : loss) : bool := Qle_bool (fst l) (fst k) && Qle_bool (snd l) (snd k).

(** What is worked out; and whether the claim covers it, up to rounding of sums. *)
Definition worked_out (md : mode) (c : certificate) (cl : claim) : option loss :=
  if Qlt_bool 0 (d_in cl) then of_measure (claimed_measure cl) (cost md (derivation c) (start c) (carried (input_metric c) (d_in cl)))
  else None.
Definition covered (md : mode) (c : certificate) (cl : claim) : bool :=
  match worked_out md c cl with Some l => no_more l (claimed cl) | None => false end.

(** ** What a claim promises, in the words of a textbook *)
Definition promise {A} (m : measure) (l : loss) (P Q : dist A) : Prop :=
  match m with
  | MPure => forall S, probability P S <= exp (Q2R (fst l)) * probability Q S
  | MApprox => forall S, probability P S <= exp (Q2R (fst l)) * probability Q S + Q2R (snd l)
  | MTotalVariation => forall S, probability P S <= probability Q S + Q2R (fst l)
  | MZcdp => forall alpha, 1 < alpha -> divergence_at_most alpha P Q (Q2R (fst l) * alpha)
  end.

Lemma promise_ok A m l (P Q : dist A) : meets m P Q (real m l) -> promise m l P Q.
Proof.
  destruct m; cbn [meets real promise]; intros H.
  - intros S. pose proof (events_of_ind H S) as E. lra.
  - intros S. exact (events_of_ind H S).
  - exact H.
  - intros S. pose proof (events_of_ind H S) as E. rewrite exp_0 in E. lra.
Qed.

(** Two inputs of the declared space, at a distance of at most [d]. *)
Definition inputs {I} (c : certificate) (d : Q) (x y : data I) : Prop :=
  apart (input_metric c) (match input_metric c with L2 => Q2R d * Q2R d | _ => Q2R d end) x y /\
  lies_in (input c) x /\ lies_in (input c) y.

Lemma start_known I c d (x y : data I) : inputs c d x y -> known (start c) (Q2R (carried (input_metric c) d)) x y.
Proof.
  intros (A & B & C). apply Forall_cons; [|now apply facts_of_ok].
  cbn [fact_holds]. destruct (input_metric c); cbn [carried]; rewrite ?Q2R_mult; exact A.
Qed.

Theorem covered_sound md c cl : covered md c cl = true -> forall (I : interpretation), promises I (derivation c) -> forall x y : data I,
  inputs c (d_in cl) x y -> promise (claimed_measure cl) (claimed cl) (denote (derivation c) x) (denote (derivation c) y).
Proof.
  unfold covered, worked_out. intros H I Kept x y K. destruct (Qlt_bool 0 (d_in cl)) eqn:E; [|discriminate].
  apply Qlt_bool_R in E. rewrite Q2R_0 in E.
  destruct (of_measure _ _) as [l|] eqn:C; [|discriminate]. apply of_measure_ok in C.
  assert (Hd : 0 <= Q2R (carried (input_metric c) (d_in cl))) by (destruct (input_metric c); cbn [carried]; rewrite ?Q2R_mult; nra).
  destruct (@cost_ok I _ Kept md _ _ _ _ Hd C) as (N & P & _). apply promise_ok.
  apply (div_le (ms := meets (claimed_measure cl))) with (2 := P x y (start_known K)).
  apply real_le. unfold no_more in H. apply andb_prop in H. destruct H as [A B]. apply Qle_R in A, B. split; assumption.
Qed.
