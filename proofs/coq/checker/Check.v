(** * The claims of a certificate against what was worked out *)
From Coq Require Import String List ZArith QArith Qreals Reals Lra Lia Bool.
From DPcore Require Import Distributions Indistinguishability Measures Powers Renyi Normal GaussianDP ApproxZcdp.
From DPchecker Require Import Language Meaning Numbers Distances Losses Rounding Compare Promises Stability Cost CostSound.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

(** What is known of any two inputs at the distance of the claim. *)
Definition start (c : certificate) : list fact := Measured (input_metric c) :: facts_of (input c).

(** L2 distances are carried as their squares. *)
Definition carried (m : metric) (d : Q) : Q := match m with L2 => (d * d)%Q | _ => d end.

(** Of GaussianDP a claim says mu. *)
Definition squared (m : measure) (k : loss) : loss := match m with MGaussian => (fst k * fst k, 0)%Q | _ => k end.
Definition no_more (m : measure) (l k : loss) : bool :=
  match m with
  | MTradeoff => le_quick (fst k) (fst l)
  | MGaussian => if Qle_bool 0 (fst k) then le_quick (fst l) (fst k * fst k) else false
  | _ => if le_quick (fst l) (fst k) then le_quick (snd l) (snd k) else false end.

(** Whether the curve has such a point. *)
Definition on_curve (m : measure) (x : Q) : bool :=
  match m with MRenyi => Qlt_bool 1 x | MProfile => Qle_bool 0 x | MTradeoff => Qle_bool 0 x && Qle_bool x 1 | _ => true end.

(** What is worked out at each point of a claim; and whether the claim covers it, up to rounding of sums. *)
Definition worked_out (md : mode) (c : certificate) (cl : claim) : option (list loss) :=
  let m := claimed_measure cl in let xs := map fst (claimed cl) in
  if Qlt_bool 0 (d_in cl) then
    match cost md (derivation c) m xs (start c) (carried (input_metric c) (d_in cl)) with
    | Some ls => Some (map (fun p => written m (fst p) (snd p)) (combine xs ls)) | None => None end
  else None.
Fixpoint at_all_points (test : loss -> loss -> bool) (ls : list loss) (ks : list (Q * loss)) : bool :=
  match ls, ks with [], [] => true | l :: ls, k :: ks => if test l (snd k) then at_all_points test ls ks else false | _, _ => false end.
Definition covered (md : mode) (c : certificate) (cl : claim) : bool :=
  match worked_out md c cl with Some ls => at_all_points (no_more (claimed_measure cl)) ls (claimed cl) | None => false end.

(** ** What a claim promises, in the words of a textbook *)
Definition promise {A} (m : measure) (x : Q) (l : loss) (P Q : dist A) : Prop :=
  match m with
  | MPure => forall S, probability P S <= exp (Q2R (fst l)) * probability Q S
  | MApprox => forall S, probability P S <= exp (Q2R (fst l)) * probability Q S + Q2R (snd l)
  | MTotalVariation => forall S, probability P S <= probability Q S + Q2R (fst l)
  | MZcdp => forall alpha, 1 < alpha -> divergence_at_most alpha P Q (Q2R (fst l) * alpha)
  | MGaussian => forall f, test f -> forall t, P f <= Phi t -> Q f <= Phi (t + Q2R (fst l))     (* Phi of the normal distribution *)
  | MRenyi => divergence_at_most (Q2R x) P Q (Q2R (fst l))
  | MProfile => forall S, probability P S <= exp (Q2R x) * probability Q S + Q2R (fst l)
  | MTradeoff => forall f, test f -> P f <= Q2R x -> Q2R (fst l) <= 1 - Q f     (* false positives of P, false negatives of Q *)
  | MApproxZcdp => forall alpha, 1 < alpha -> forall f, test f -> P f <= Q2R (snd l) +
      exp ((alpha - 1) * Q2R (fst l)) * rpow (Q (fun a => rpow (f a) (alpha / (alpha - 1)))) ((alpha - 1) / alpha)
  end.

Lemma promise_ok A m x l k (P Q : dist A) : on_curve m x = true -> no_more m (written m x l) k = true ->
  meets m (Q2R x) P Q (real m l) -> promise m x k P Q.
Proof.
  intros C N H. destruct m; cbn [on_curve no_more written promise] in *.
  1-7, 9: match type of N with (if ?first then _ else _) = true => destruct first eqn:N1; [|discriminate] end; rename N into N2;
    apply le_quick_R in N2; first [apply le_quick_R in N1 | apply Qle_R in N1].
  - intros S. pose proof (events_of_ind H S) as E. pose proof (exp_le N1). pose proof (expect_test Q (test_event S)). unfold probability in *. cbn [real] in E. nra.
  - intros S. pose proof (events_of_ind H S) as E. pose proof (exp_le N1). pose proof (expect_test Q (test_event S)). unfold probability in *. cbn [real fst snd] in E. nra.
  - intros alpha order. apply at_most_le with (Q2R (fst l) * alpha); [exact order | nra | now apply H].
  - intros S. pose proof (events_of_ind H S) as E. rewrite exp_0 in E. cbn [real] in E. lra.
  - rewrite Q2R_0 in N1. rewrite Q2R_mult in N2. intros f F t T. destruct H as [_ H]. specialize (H f F t T). cbn [real] in H.
    eapply Rle_trans; [exact H|]. apply Phi_le, Rplus_le_compat_l. rewrite <- (sqrt_square (Q2R (fst k))) by exact N1.
    now apply sqrt_le_1_alt.
  - apply Qlt_bool_R in C. rewrite Q2R_1 in C. apply at_most_le with (Q2R (fst l)); [exact C | exact N1 | exact (H C)].
  - apply Qle_R in C. rewrite Q2R_0 in C. intros S. pose proof (events_of_ind (H C) S) as E. cbn [real] in E. lra.
  - intros alpha order. pose proof (@div_le _ _ approximate_zcdp _ A P Q (Q2R (fst l), Q2R (snd l)) (Q2R (fst k), Q2R (snd k)) (conj N1 N2) H) as [_ K]. intros f F.
    specialize (K alpha order f F). cbn [fst snd] in K. unfold gamma, beta in K.
    now replace ((alpha - 1) / alpha * (Q2R (fst k) * alpha)) with ((alpha - 1) * Q2R (fst k)) in K by (field; lra).
  - apply le_quick_R in N. cbn [fst] in N. rewrite !minus_ok, Q2R_1 in N. intros f F K. specialize (H f F K). cbn [real] in H. lra.
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

Lemma at_all_points_ok m ls ks xs js : xs = map fst ks -> length xs = length js ->
  ls = map (fun p => written m (fst p) (snd p)) (combine xs js) -> at_all_points (no_more m) ls ks = true ->
  Forall2 (fun j k => no_more m (written m (fst k) j) (snd k) = true) js ks.
Proof.
  intros -> L ->. revert js L; induction ks as [|k ks IH]; intros [|j js] L H; try discriminate; [constructor|].
  simpl in H. destruct (no_more m (written m (fst k) j) (snd k)) eqn:E; [|discriminate]. constructor; [exact E|]. apply IH; auto.
Qed.

Theorem covered_sound md c cl : covered md c cl = true -> forallb (fun p => on_curve (claimed_measure cl) (fst p)) (claimed cl) = true ->
  forall (I : interpretation), promises I (derivation c) -> forall x y : data I, inputs c (d_in cl) x y ->
  forall p, In p (claimed cl) -> promise (claimed_measure cl) (fst p) (snd p) (denote (derivation c) x) (denote (derivation c) y).
Proof.
  unfold covered, worked_out. cbv zeta. intros H Cu I Kept x y K p J. destruct (Qlt_bool 0 (d_in cl)) eqn:E; [|discriminate].
  apply Qlt_bool_R in E. rewrite Q2R_0 in E. set (xs := map fst (claimed cl)) in *.
  destruct (cost _ _ _ _ _ _) as [js|] eqn:C; [|discriminate].
  assert (Hd : 0 <= Q2R (carried (input_metric c) (d_in cl))) by (destruct (input_metric c); cbn [carried]; rewrite ?Q2R_mult; nra).
  destruct (@cost_ok I _ Kept md _ _ _ _ _ Hd C) as (_ & L & P & _).
  specialize (P x y (start_known K)). pose proof (@at_all_points_ok (claimed_measure cl) _ (claimed cl) xs js eq_refl L eq_refl H) as F.
  rewrite forallb_forall in Cu. subst xs. clear H L C. revert js P F. induction (claimed cl) as [|k ks IH]; intros js P F; [destruct J|].
  inversion F as [|j ? js' ? F1 F2]; subst. simpl in P. inversion P as [|? ? ? ? P1 P2]; subst. destruct J as [<-|J].
  - apply promise_ok with (l := j); [apply Cu; now left | exact F1 | exact P1].
  - apply IH with (js := js'); auto. intros q Jq. apply Cu. now right.
Qed.
