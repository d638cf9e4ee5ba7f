(** * Combinators

    Each is proved once, for every measure that obeys the laws of [Measures.v]; the rules are instances. *)
From Coq Require Import Reals Lra Lia List.
From DPcore Require Import Distributions Indistinguishability Measures Metrics.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

(** ** Chaining: the map of each link at what the link before it gives *)
Theorem chain X Y Z A L (mX : metric X) (mY : metric Y) (mZ : metric Z) (ms : measure L)
  (T : X -> Y) (map : R -> R) : stable mX mY map T ->
  (forall (U : Y -> Z) map', stable mY mZ map' U -> stable mX mZ (fun d => map' (map d)) (fun x => U (T x))) /\
  (forall (M : Y -> dist A) loss, private mY ms M loss -> private mX ms (fun x => M (T x)) (fun d => loss (map d))).
Proof. intros H; split; intros ? ? K d x y D; apply K, H, D. Qed.

(** With domains: the second link need hold only where the first arrives. *)
Corollary chain_on X Y A L (mX : metric X) (mY : metric Y) (ms : measure L) (T : X -> Y) (map : R -> R)
  (M : Y -> dist A) loss (C : X -> Prop) (D : Y -> Prop) : (forall x, C x -> D (T x)) ->
  stable (on C mX) mY map T -> private (on D mY) ms M loss -> private (on C mX) ms (fun x => M (T x)) (fun d => loss (map d)).
Proof. intros H S P d x y K. exact (P _ _ _ (onto_domain D H S K)). Qed.

(** ** Lists of losses *)
Definition plus_all {L} {O : losses L} (ls : list L) : L := fold_right plus zero ls.
Definition largest {L} {O : losses L} (ls : list L) : L := fold_right join zero ls.

Lemma largest_nonneg {L} {O : losses L} ls : le zero (largest ls).
Proof. induction ls as [|l ls IH]; simpl; [apply le_refl | eapply le_trans; [exact IH | apply join_r]]. Qed.

Lemma largest_ge {L} {O : losses L} l ls : In l ls -> le l (largest ls).
Proof.
  induction ls as [|a ls IH]; simpl; [tauto|].
  intros [->|I]; [apply join_l | eapply le_trans; [now apply IH | apply join_r]].
Qed.

Lemma plus_all_nonneg {L} {O : losses L} ls : Forall (le zero) ls -> le zero (plus_all ls).
Proof.
  induction 1 as [|l ls H _ IH]; simpl; [apply le_refl|]. rewrite <- (plus_zero zero) at 1. now apply plus_le.
Qed.

(** ** Post-processing: deterministic, or with coins of its own *)
Theorem post_process X A B L {O : losses L} (ms : measure L) {D : divergence ms} (m : metric X) (M : X -> dist A) loss
  (f : A -> dist B) : private m ms M loss -> private m ms (fun x => bind (M x) f) loss.
Proof. intros H d x y K. apply div_post, H, K. Qed.

(** The same for trade-off curves: they do not obey all the laws of a divergence (a mixture of two pairs may have a lower
    curve than either), but processing they do. *)
Theorem post_process_tradeoff X A B (m : metric X) (M : X -> dist A) (b : R -> R -> R) (f : A -> dist B) :
  private m tradeoff M b -> private m tradeoff (fun x => bind (M x) f) b.
Proof. intros H d x y D g G. apply (H d x y D (fun a => f a g)). intros a. now apply expect_test. Qed.

(** ** Composition *)

(** All releases, one after the other. *)
Fixpoint all {X A} (Ms : list (X -> dist A)) (x : X) : dist (list A) :=
  match Ms with
  | [] => ret []
  | M :: Ms => bind (M x) (fun a => bind (all Ms x) (fun l => ret (a :: l)))
  end.

(** What is lost between two inputs adds up. *)
Lemma all_close X A L {O : losses L} (ms : measure L) {D : divergence ms} {C : composes ms} (Ms : list (X -> dist A)) ls x y :
  Forall2 (fun M l => ms A (M x) (M y) l) Ms ls -> ms (list A) (all Ms x) (all Ms y) (plus_all ls).
Proof.
  induction 1 as [|M l Ms ls H _ IH]; simpl; [apply div_same, same_refl|].
  apply div_bind; [exact H|]. intros a. apply div_post, IH.
Qed.

Lemma compose X A L {O : losses L} (ms : measure L) {D : divergence ms} {C : composes ms} (m : metric X)
  (Ms : list (X -> dist A)) (ls : list (R -> L)) : Forall2 (private m ms) Ms ls ->
  private m ms (all Ms) (fun d => plus_all (map (fun l => l d) ls)).
Proof. intros H d x y K. apply (all_close (D := D)). induction H as [|M l Ms ls P _ IH]; [constructor | constructor; [exact (P d x y K) | exact IH]]. Qed.

Lemma all_respects X A (m : metric X) (Ms : list (X -> dist A)) :
  (forall M, In M Ms -> respects m M) -> respects m (all Ms).
Proof.
  induction Ms as [|M Ms IH]; intros H x y K; simpl; [apply same_refl|].
  apply same_bind; [apply (H M); [now left | exact K] | intros a; apply same_bind; auto].
  apply IH; [intros; apply H; now right | exact K].
Qed.

(** ** Group privacy: the loss at distance d, from the loss at distance 1 *)
Lemma lift X A L {O : losses L} (ms : measure L) {D : divergence ms} {G : groups ms} (m : metric X) (M : X -> dist A) l :
  whole m -> respects m M -> le zero l -> private_at m ms M 1 l -> private m ms M (fun d => group d l).
Proof.
  intros W Z Hl H d x y K. destruct (W d x y K) as (n & Hn & Rn). eapply group_down; [exact Hl | exact Hn |].
  clear d Hn K. revert y Rn; induction n as [|n IH]; intros y Rn.
  - apply group_zero; [exact Hl | simpl; lra | now apply Z].
  - destruct Rn as (z & Rn & S). specialize (IH z Rn). apply H in S. destruct n as [|n].
    + apply group_one. apply div_resp with (M z) (M y); auto. apply same_sym, Z, Rn.
    + eapply group_step; eauto.
Qed.

Lemma group_privacy X A L {O : losses L} (ms : measure L) {D : divergence ms} {G : groups ms} (m : metric X)
  (M : X -> dist A) loss : whole m -> respects m M -> le zero (loss 1) -> private m ms M loss ->
  private m ms M (fun d => group d (loss 1)).
Proof. intros W Z N H. apply (lift (D := D)); auto. intros x y; apply H. Qed.

(** ** Adaptive composition: stage i sees the releases before it, and costs at most [l_i] between neighbours *)
Fixpoint adaptive {X A} (n : nat) (choose : list A -> X -> dist A) (seen : list A) (x : X) : dist (list A) :=
  match n with
  | O => ret seen
  | S n => bind (choose seen x) (fun a => adaptive n choose (a :: seen) x)
  end.

Lemma adaptive_respects X A (m : metric X) (choose : list A -> X -> dist A) n :
  (forall seen, respects m (choose seen)) -> forall seen, respects m (adaptive n choose seen).
Proof.
  intros H; induction n as [|n IH]; intros seen x y K; simpl; [apply same_refl|].
  apply same_bind; [now apply H | intros a; now apply IH].
Qed.

Lemma adaptive_at X A L {O : losses L} (ms : measure L) {D : divergence ms} {C : composes ms} (choose : list A -> X -> dist A) ls x y :
  (forall seen l, nth_error ls (length seen) = Some l -> ms A (choose seen x) (choose seen y) l) ->
  ms (list A) (adaptive (length ls) choose [] x) (adaptive (length ls) choose [] y) (plus_all ls).
Proof.
  intros H. assert (P : forall k seen, (length seen + k = length ls)%nat ->
    ms (list A) (adaptive k choose seen x) (adaptive k choose seen y) (plus_all (skipn (length seen) ls))).
  { induction k as [|k IH]; intros seen E; simpl.
    - rewrite skipn_all2 by lia. apply div_same, same_refl.
    - destruct (nth_error ls (length seen)) as [l|] eqn:El; [|apply nth_error_None in El; lia].
      assert (S : skipn (length seen) ls = l :: skipn (S (length seen)) ls).
      { clear -El. revert ls El; induction (length seen) as [|n IH]; intros [|a ls] El; simpl in *; try discriminate.
        - congruence.
        - now apply IH. }
      rewrite S; simpl. apply div_bind; [now apply (H seen l El)|]. intros a. apply (IH (a :: seen)). simpl; lia. }
  exact (P (length ls) [] eq_refl).
Qed.

Lemma adaptive_lift X A L {O : losses L} (ms : measure L) {D : divergence ms} {C : composes ms} {G : groups ms} (m :
  metric X)
  (ls : list L) (choose : list A -> X -> dist A) :
  whole m -> Forall (le zero) ls -> (forall seen, respects m (choose seen)) ->
  (forall seen l, nth_error ls (length seen) = Some l -> private_at m ms (choose seen) 1 l) ->
  private m ms (adaptive (length ls) choose []) (fun d => group d (plus_all ls)).
Proof.
  intros W N Z H. apply (lift (D := D)); [exact W | now apply adaptive_respects | now apply plus_all_nonneg |].
  intros x y K. apply (adaptive_at (D := D)). intros seen l E. exact (H seen l E x y K).
Qed.

(** ** General composition: each measurement after a preprocessing of its own

    One step of the input metric moves all preprocessed data at once, by at most one of the vectors in [joint]. *)
Record prepared (X A L : Type) := {
  pre_type : Type;
  pre_metric : metric pre_type;
  pre : X -> pre_type;
  pre_measure : pre_type -> dist A;
  pre_loss : R -> L }.

Definition prepare {X A L} (p : prepared X A L) (x : X) : dist A := pre_measure p (pre p x).

(** The sum of the losses where the preprocessed data are [v] apart. *)
Definition cost {X A L} {O : losses L} (ps : list (prepared X A L)) (v : list R) : L :=
  plus_all (map (fun pd => pre_loss (fst pd) (snd pd)) (combine ps v)).

Lemma general_composition X A L {O : losses L} (ms : measure L) {D : divergence ms} {C : composes ms} {G : groups ms}
  (m : metric X) (ps : list (prepared X A L)) (joint : list (list R)) :
  whole m -> (forall p, In p ps -> respects m (prepare p)) ->
  (forall p, In p ps -> private (pre_metric p) ms (pre_measure p) (pre_loss p)) ->
  (forall x y, m 1 x y -> exists v, In v joint /\ Forall2 (fun p d => pre_metric p d (pre p x) (pre p y)) ps v) ->
  private m ms (all (map prepare ps)) (fun d => group d (largest (map (cost ps) joint))).
Proof.
  intros W Z H J. apply (lift (D := D)); [exact W | | apply largest_nonneg |].
  - apply all_respects. intros M I. apply in_map_iff in I. destruct I as (p & <- & I). now apply Z.
  - intros x y K. destruct (J x y K) as (v & I & F).
    apply div_le with (cost ps v); [apply largest_ge, in_map, I|]. apply (all_close (D := D)). clear I J Z K W.
    induction F as [|p d ps v F _ IH]; [constructor | constructor; [exact (H p (or_introl eq_refl) d _ _ F) | apply IH; intros; apply H; now right]].
Qed.
