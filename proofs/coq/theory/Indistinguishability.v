(** * Indistinguishability

    [ind P Q eps delta]: no test accepts P with a probability above [exp eps] times that of Q, plus [delta]. Events suffice
    ([ind_of_events]), so this is the textbook definition of (eps, delta); tests make its algebra one line each. *)
From Coq Require Import Reals Lra Psatz.
From DPcore Require Import Distributions.
Open Scope R_scope.
Set Implicit Arguments.

Definition ind {A} (P Q : dist A) (eps delta : R) := forall f, test f -> P f <= exp eps * Q f + delta.

(** The textbook form: [P(S) <= exp eps * Q(S) + delta] for every event S. *)
Definition probability {A} (P : dist A) (S : A -> bool) := P (fun a => if S a then 1 else 0).
Definition ind_events {A} (P Q : dist A) (eps delta : R) :=
  forall S, probability P S <= exp eps * probability Q S + delta.

Lemma test_event A (S : A -> bool) : test (fun a => if S a then 1 else 0).
Proof. intros a; destruct (S a); lra. Qed.

Theorem events_of_ind A (P Q : dist A) e d : ind P Q e d -> ind_events P Q e d.
Proof. intros H S; apply H, test_event. Qed.

(** ** Events suffice

    A test is, up to [h], the average of the events "f is at least i h" for i = 1, ..., 1/h: a layer cake. *)
Section LayerCake.
Variables (A : Type) (f : A -> R).
Hypothesis F : test f.
Let layer (t : R) (a : A) : bool := if Rle_dec t (f a) then true else false.
Fixpoint cake (n : nat) (h : R) (a : A) : R :=
  match n with
  | O => 0
  | S m => cake m h a + h * (if layer (INR (S m) * h) a then 1 else 0)
  end.

Lemma bounded_layer t : bounded (fun a => if layer t a then 1 else 0).
Proof. apply test_bounded, test_event. Qed.

Lemma bounded_cake n h : bounded (cake n h).
Proof. induction n; simpl; [apply bounded_const | apply (bounded_plus IHn), bounded_scale, bounded_layer]. Qed.

Lemma cake_full n h a : 0 < h -> INR n * h <= f a -> cake n h a = INR n * h.
Proof.
  intros Hh; induction n as [|n IH]; intros L; [simpl; lra|].
  change (cake (S n) h a) with (cake n h a + h * (if layer (INR (S n) * h) a then 1 else 0)).
  unfold layer; rewrite S_INR in *. destruct (Rle_dec ((INR n + 1) * h) (f a)); [rewrite IH by nra; lra | contradiction].
Qed.

Lemma cake_between n h a : 0 < h -> cake n h a <= f a /\ (f a < INR n * h + h -> f a - h < cake n h a).
Proof.
  intros Hh; destruct (F a) as [F0 F1]; induction n as [|n [I1 I2]]; [simpl; lra|].
  destruct (Rle_dec (INR (S n) * h) (f a)) as [r|r].
  - rewrite cake_full by auto. split; [exact r | lra].
  - change (cake (S n) h a) with (cake n h a + h * (if layer (INR (S n) * h) a then 1 else 0)).
    unfold layer; rewrite S_INR in *. destruct (Rle_dec ((INR n + 1) * h) (f a)); [contradiction|].
    split; [lra | intros _; apply Rnot_le_lt in r; specialize (I2 ltac:(lra)); lra].
Qed.

Lemma cake_ind (P Q : dist A) e d n h : 0 < h -> ind_events P Q e d ->
  P (cake n h) <= exp e * Q (cake n h) + INR n * h * d.
Proof.
  intros Hh H; induction n as [|n IH]; [simpl; rewrite !expect_const; lra|].
  assert (E : forall S : dist A, S (cake (Datatypes.S n) h) =
    S (cake n h) + h * probability S (layer (INR (Datatypes.S n) * h))).
  { intros S. simpl cake. rewrite expect_plus, expect_scale; auto using bounded_cake, bounded_scale, bounded_layer. }
  rewrite !E, S_INR. specialize (H (layer ((INR n + 1) * h))). nra.
Qed.
End LayerCake.

Theorem ind_of_events A (P Q : dist A) e d : ind_events P Q e d -> ind P Q e d.
Proof.
  intros H f F.
  assert (step : forall N : nat, (0 < N)%nat -> P f <= exp e * Q f + d + / INR N).
  { intros N HN. set (h := / INR N).
    assert (N0 : 0 < INR N) by (now apply lt_0_INR).
    assert (h0 : 0 < h) by (now apply Rinv_0_lt_compat).
    assert (NH : INR N * h = 1) by (unfold h; field; lra).
    pose proof (cake_ind f N h0 H) as L. rewrite NH in L.
    assert (U : P f <= P (fun a => cake f N h a + h)).
    { apply expect_le; auto using bounded_cake with bounded. intros a.
      destruct (cake_between F N a h0) as [_ K]. destruct (F a). rewrite NH in K; specialize (K ltac:(lra)); lra. }
    rewrite expect_plus, expect_const in U; auto using bounded_cake with bounded.
    assert (Q (cake f N h) <= Q f).
    { apply expect_le; auto using bounded_cake with bounded. intros a; now apply cake_between. }
    pose proof (exp_pos e). nra. }
  apply Rnot_lt_le; intros C.
  destruct (archimed_cor1 (P f - (exp e * Q f + d))) as (N & HN & HN0); [lra|]. specialize (step N HN0); lra.
Qed.

(** ** Its algebra *)
Lemma exp_le a b : a <= b -> exp a <= exp b.
Proof. intros [H| ->]; [left; now apply exp_increasing | lra]. Qed.
Lemma exp_ge_1 a : 0 <= a -> 1 <= exp a.
Proof. intros; rewrite <- exp_0; now apply exp_le. Qed.

Lemma ind_same A (P Q : dist A) : same P Q -> ind P Q 0 0.
Proof. intros H f F; rewrite H, exp_0 by auto with bounded; lra. Qed.

Lemma ind_resp A (P P' Q Q' : dist A) e d : same P P' -> same Q Q' -> ind P Q e d -> ind P' Q' e d.
Proof. intros HP HQ H f F; rewrite <- HP, <- HQ by auto with bounded; auto. Qed.

Lemma ind_delta_nonneg A (P Q : dist A) e d : ind P Q e d -> 0 <= d.
Proof. intros H. specialize (H (fun _ => 0) ltac:(intros a; lra)). rewrite !expect_const in H; lra. Qed.

Lemma ind_weaken A (P Q : dist A) e d e' d' : e <= e' -> d <= d' -> ind P Q e d -> ind P Q e' d'.
Proof. intros He Hd H f F. specialize (H f F). pose proof (expect_test Q F). pose proof (exp_le He). nra. Qed.

(** The heart of the calculus: what is drawn second may depend on what was drawn first. *)
Theorem ind_bind A B (P Q : dist A) (K L : A -> dist B) e1 d1 e2 d2 :
  ind P Q e1 d1 -> (forall a, ind (K a) (L a) e2 d2) -> ind (bind P K) (bind Q L) (e1 + e2) (d1 + d2).
Proof.
  intros H1 H2 f F; simpl.
  assert (Hd2 : 0 <= d2).
  { apply Rnot_lt_le; intros C. apply (dist_inhabited P). intros a. pose proof (ind_delta_nonneg (H2 a)); lra. }
  set (g := fun a => Rmax 0 (K a f - d2)).
  assert (G : test g).
  { intros a; unfold g. pose proof (expect_test (K a) F). split; [apply Rmax_l | apply Rmax_lub; lra]. }
  assert (P (fun a => K a f) <= P (fun a => g a + d2)).
  { apply expect_le; auto with bounded. intros a; unfold g; pose proof (Rmax_r 0 (K a f - d2)); lra. }
  rewrite expect_plus, expect_const in H by auto with bounded.
  assert (Q g <= Q (fun a => exp e2 * L a f)).
  { apply expect_le; auto with bounded. intros a; unfold g; specialize (H2 a f F).
    pose proof (expect_test (L a) F); pose proof (exp_pos e2). apply Rmax_lub; nra. }
  rewrite expect_scale in H0 by auto with bounded.
  specialize (H1 g G). rewrite exp_plus. pose proof (exp_pos e1). nra.
Qed.

Lemma ind_trans A (P Q S : dist A) e1 d1 e2 d2 : ind P Q e1 d1 -> ind Q S e2 d2 -> ind P S (e1 + e2) (d1 + exp e1 * d2).
Proof. intros H1 H2 f F. specialize (H1 f F). specialize (H2 f F). rewrite exp_plus. pose proof (exp_pos e1). nra. Qed.

(** Pure indistinguishability bounds every nonnegative bounded function, not only tests. *)
Lemma ind_scale A (P Q : dist A) e : ind P Q e 0 -> forall f, bounded f -> nonneg f -> P f <= exp e * Q f.
Proof.
  intros H f [B HB] N. set (c := Rmax 1 B). assert (Hc : 0 < c) by (unfold c; pose proof (Rmax_l 1 B); lra).
  assert (Bf : bounded f) by (now exists B).
  assert (U : test (fun a => / c * f a)).
  { intros a; specialize (N a); specialize (HB a). rewrite Rabs_pos_eq in HB by auto.
    pose proof (Rmax_r 1 B) as K; fold c in K. pose proof (Rinv_0_lt_compat c Hc).
    split; [nra|]. apply Rmult_le_reg_l with c; auto. rewrite <- Rmult_assoc, Rinv_r; lra. }
  specialize (H _ U). rewrite !expect_scale in H by auto.
  apply Rmult_le_reg_l with (/ c); [now apply Rinv_0_lt_compat|]. nra.
Qed.
