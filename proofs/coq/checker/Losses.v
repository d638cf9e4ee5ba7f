(** * Losses as rationals, and what they stand for

    A loss is two figures, of which only pairs such as that of ApproxDP use the second; that of GaussianDP is mu squared. A loss that is a curve is looked at one point at a time:
    [meets m x P Q l] says that the loss of P against Q in the measure [m] is at most [l], at the point [x] of the curve. For a
    measure without a curve the point is idle. *)
From Coq Require Import QArith Qreals Reals Lra List.
From DPcore Require Import Distributions Indistinguishability Measures Combinators Renyi GaussianDP GaussianComposition ApproxZcdp.
From DPchecker Require Import Language Numbers.
From DPchecker Require Rounding.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Definition loss : Type := Q * Q.
Definition zero_loss : loss := (0, 0)%Q.
Definition single (q : Q) : loss := (Qred q, 0%Q).

(** ** The measures of the theory, at a point

    Of a trade-off curve the figure is what a test gains on a guess: with a false-positive probability of at most [x] it is right
    with a probability of at most [x + e], where beta(x) = 1 - x - e. So no gain is 0, and less is better, as for the others. *)
Definition figures (m : measure) : Type := match m with MApprox | MApproxZcdp => R * R | _ => R end.
Definition meets (m : measure) (x : R) : Measures.measure (figures m) :=
  match m with
  | MPure => pure | MApprox => approx | MZcdp => zcdp | MTotalVariation => total_variation | MGaussian => gaussian
  | MApproxZcdp => approximate_zcdp
  | MRenyi => fun A P Q e => 1 < x -> renyi_at x P Q e
  | MProfile => fun A P Q delta => 0 <= x -> ind P Q x delta
  | MTradeoff => fun A P Q e => forall f, test f -> P f <= x -> Q f <= x + e
  end.
Definition real (m : measure) : loss -> figures m :=
  match m with
  | MApprox | MApproxZcdp => fun l => (Q2R (fst l), Q2R (snd l))
  | MPure | MZcdp | MTotalVariation | MGaussian | MRenyi | MProfile | MTradeoff => fun l => Q2R (fst l)
  end.

(** Two numbers as figures of the measure. *)
Definition taken_as (m : measure) : R * R -> figures m :=
  match m with
  | MApprox | MApproxZcdp => fun l => l
  | MPure | MZcdp | MTotalVariation | MGaussian | MRenyi | MProfile | MTradeoff => fst
  end.

(** A loss as it is written: of a trade-off curve, beta at that point. What is written is read in the same way. *)
Definition written (m : measure) (x : Q) (l : loss) : loss :=
  match m with MTradeoff => (Rounding.minus (Rounding.minus 1 x) (fst l), 0%Q) | _ => l end.

#[export] Instance losses_of m : losses (figures m) :=
  match m with MApprox | MApproxZcdp => losses_pair | MPure | MZcdp | MTotalVariation | MGaussian | MRenyi | MProfile | MTradeoff => losses_number end.

(** ** What all of them obey *)
Section Laws.
Variables (m : measure) (x : R) (A : Type).

Lemma meets_same (P Q : dist A) : same P Q -> meets m x P Q zero.
Proof.
  intros S. destruct m; cbn [meets].
  1-5: now apply div_same.
  - intros order. now apply at_most_same.
  - intros H. apply ind_weaken with 0 0; [exact H | apply Rle_refl | now apply ind_same].
  - intros f F H. rewrite (S f) in H by auto with bounded. simpl. lra.
  - now apply div_same.
Qed.

Lemma meets_le (P Q : dist A) k l : le k l -> meets m x P Q k -> meets m x P Q l.
Proof.
  intros H. destruct m; cbn [meets].
  1-5: now apply div_le.
  - intros K order. apply at_most_le with k; [exact order | exact H | now apply K].
  - intros K N. apply ind_weaken with x k; [apply Rle_refl | exact H | now apply K].
  - intros K f F T. simpl in H. specialize (K f F T). lra.
  - now apply div_le.
Qed.

Lemma meets_post B (P Q : dist A) (K : A -> dist B) l : meets m x P Q l -> meets m x (bind P K) (bind Q K) l.
Proof.
  destruct m; cbn [meets].
  1-5: now apply div_post.
  - intros H order. rewrite <- (Rplus_0_r l). apply at_most_bind; [exact order | now apply H |].
    intros a. now apply at_most_same.
  - intros H N. exact (div_post (ms := approx) P Q K (x, l) (H N)).
  - intros H f F T. apply (H (fun a => K a f)); [intros a; now apply expect_test | exact T].
  - now apply div_post.
Qed.
End Laws.

(** ** What those obey that are not trade-off curves: what is drawn before makes no difference *)
Lemma divergence_of m x : m <> MTradeoff -> divergence (meets m x).
Proof.
  intros N. split; [apply meets_same | apply meets_le | | apply meets_post |]; destruct m; try (now destruct N); cbn [meets].
  1-5: intros; eapply div_resp; eassumption.
  - intros A P P' Q Q' l HP HQ H order. exact (at_most_resp order HP HQ (H order)).
  - intros A P P' Q Q' l HP HQ H E. exact (ind_resp HP HQ (H E)).
  - intros; eapply div_resp; eassumption.
  - intros; now apply div_inner.
  - intros; now apply div_inner.
  - intros; now apply div_inner.
  - intros; now apply div_inner.
  - intros; now apply div_inner.
  - intros A B P K K' l H order. rewrite <- (Rplus_0_l l). apply at_most_bind; [exact order | now apply at_most_same | intros a; now apply H].
  - intros A B P K K' l H E. exact (div_inner (ms := approx) P K K' (x, l) (fun a => H a E)).
  - intros; now apply div_inner.
Qed.

(** Those that add up when one release follows another. *)
Definition adds (m : measure) : bool := match m with MProfile | MTradeoff => false | _ => true end.
Lemma composes_of m x : adds m = true -> composes (meets m x).
Proof.
  destruct m; try discriminate; intros _; cbn [meets].
  6: { constructor. intros A B P Q K K' l1 l2 H H' order. apply at_most_bind; [exact order | now apply H | intros a; now apply H']. }
  all: exact _.
Qed.

(** A measure without a curve is the same at every point. *)
Lemma same_at_points m x y A (P Q : dist A) l : curved m = false -> meets m x P Q l -> meets m y P Q l.
Proof. destruct m; discriminate || auto. Qed.
Lemma figures_add m : curved m = false -> adds m = true. Proof. destruct m; discriminate || reflexivity. Qed.

(** ** Order *)
Definition at_most (k l : loss) : Prop := Q2R (fst k) <= Q2R (fst l) /\ Q2R (snd k) <= Q2R (snd l).
Definition nonneg_loss (l : loss) : Prop := 0 <= Q2R (fst l) /\ 0 <= Q2R (snd l).

Lemma real_le m k l : at_most k l -> le (real m k) (real m l).
Proof. destruct m; intros [H K]; simpl; auto. Qed.
Lemma real_nonneg m l : nonneg_loss l -> le zero (real m l).
Proof. destruct m; intros [H K]; simpl; auto. Qed.

Lemma nonneg_zero_loss : nonneg_loss zero_loss.
Proof. split; simpl; rewrite Q2R_0; lra. Qed.
Lemma nonneg_figure q : 0 <= Q2R q -> nonneg_loss (q, 0%Q).
Proof. intros H; split; simpl; rewrite ?Q2R_0; lra. Qed.
Lemma single_nonneg q : 0 <= Q2R q -> nonneg_loss (single q).
Proof. intros H. apply nonneg_figure. now rewrite Q2R_red. Qed.

Lemma meets_same_loss m x A (P Q : dist A) l : nonneg_loss l -> same P Q -> meets m x P Q (real m l).
Proof. intros N S. apply meets_le with zero; [now apply real_nonneg | now apply meets_same]. Qed.
