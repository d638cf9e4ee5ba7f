(** * Measures

    In what a loss is counted. A measure relates two distributions and a loss: "the loss of P against Q is at most l".

        pure             eps            P(S) <= exp eps Q(S)
        approx           (eps, delta)   P(S) <= exp eps Q(S) + delta
        total_variation  delta          P(S) <= Q(S) + delta
        profile          delta(eps)     the same as approx, at every eps >= 0
        tradeoff         beta(alpha)    a test of false-positive rate alpha has a false-negative rate of at least beta(alpha)

    Renyi and zero-concentrated divergences are in [Renyi.v]. Below the definitions, the laws from which composition, group
    privacy and parallel composition follow, once for all measures. *)
From Coq Require Import Reals Lra Lia ZArith.
From DPcore Require Import Distributions Indistinguishability.
From DPcore Require Export LossOrder.
Open Scope R_scope.
Set Implicit Arguments.

Definition measure (L : Type) := forall A : Type, dist A -> dist A -> L -> Prop.

Definition pure : measure R := fun A P Q eps => ind P Q eps 0.
Definition approx : measure (R * R) := fun A P Q l => ind P Q (fst l) (snd l).
Definition total_variation : measure R := fun A P Q delta => ind P Q 0 delta.
Definition profile : measure (R -> R) := fun A P Q delta => forall eps, 0 <= eps -> ind P Q eps (delta eps).
Definition tradeoff : measure (R -> R) := fun A P Q beta => forall f, test f -> beta (P f) <= 1 - Q f.

(** ** The laws of a measure *)

(** What every measure of privacy obeys: no processing, before or after, makes two distributions easier to tell apart. *)
Class divergence {L} {O : losses L} (ms : measure L) := {
  div_same : forall A (P Q : dist A), same P Q -> ms A P Q zero;
  div_le : forall A (P Q : dist A) l l', le l l' -> ms A P Q l -> ms A P Q l';
  div_resp : forall A (P P' Q Q' : dist A) l, same P P' -> same Q Q' -> ms A P Q l -> ms A P' Q' l;
  div_post : forall A B (P Q : dist A) (K : A -> dist B) l, ms A P Q l -> ms B (bind P K) (bind Q K) l;
  div_inner : forall A B (P : dist A) (K K' : A -> dist B) l,
    (forall a, ms B (K a) (K' a) l) -> ms B (bind P K) (bind P K') l }.

(** Losses add up, also when what comes second depends on what came first. *)
Class composes {L} {O : losses L} (ms : measure L) := {
  div_bind : forall A B (P Q : dist A) (K K' : A -> dist B) l1 l2,
    ms A P Q l1 -> (forall a, ms B (K a) (K' a) l2) -> ms B (bind P K) (bind Q K') (plus l1 l2) }.

(** The loss of [d] steps, each of a loss of at most [l]. Steps are whole; a distance between is rounded down. *)
Class groups {L} {O : losses L} (ms : measure L) := {
  group : R -> L -> L;
  group_zero : forall A (P Q : dist A) d l, le zero l -> 0 <= d -> same P Q -> ms A P Q (group d l);
  group_one : forall A (P Q : dist A) l, ms A P Q l -> ms A P Q (group 1 l);
  group_step : forall A (P Q T : dist A) n l, le zero l ->
    ms A P Q (group (INR (S n)) l) -> ms A Q T l -> ms A P T (group (INR (S (S n))) l);
  group_down : forall A (P Q : dist A) n d l, le zero l -> INR n <= d < INR n + 1 ->
    ms A P Q (group (INR n) l) -> ms A P Q (group d l) }.

(** Composition gives the other laws of a divergence, where zero is neutral. *)
Lemma divergence_of_composes {L} {O : losses L} (ms : measure L) : composes ms ->
  (forall A (P Q : dist A), same P Q -> ms A P Q zero) ->
  (forall A (P Q : dist A) l l', le l l' -> ms A P Q l -> ms A P Q l') ->
  (forall A (P P' Q Q' : dist A) l, same P P' -> same Q Q' -> ms A P Q l -> ms A P' Q' l) -> divergence ms.
Proof.
  intros C H1 H2 H3; constructor; auto.
  - intros. rewrite <- (plus_zero l), plus_comm. apply div_bind; auto.
  - intros. rewrite <- (plus_zero l). apply div_bind; auto.
Qed.

(** ** The instances that need nothing but [ind] *)
#[export] Instance composes_pure : composes pure.
Proof. constructor; unfold pure; intros. replace 0 with (0 + 0) by ring. now apply ind_bind. Qed.
#[export] Instance divergence_pure : divergence pure.
Proof.
  apply divergence_of_composes; [exact _ | ..]; unfold pure; intros.
  - now apply ind_same.
  - eapply ind_weaken; [exact H | apply Rle_refl | exact H0].
  - eapply ind_resp; eauto.
Qed.

#[export] Instance composes_approx : composes approx.
Proof. constructor; unfold approx; simpl; intros. now apply ind_bind. Qed.
#[export] Instance divergence_approx : divergence approx.
Proof.
  apply divergence_of_composes; [exact _ | ..]; unfold approx; simpl; intros.
  - now apply ind_same.
  - destruct H; eapply ind_weaken; eauto.
  - eapply ind_resp; eauto.
Qed.

#[export] Instance composes_total_variation : composes total_variation.
Proof. constructor; unfold total_variation; intros. replace 0 with (0 + 0) by ring. now apply ind_bind. Qed.
#[export] Instance divergence_total_variation : divergence total_variation.
Proof.
  apply divergence_of_composes; [exact _ | ..]; unfold total_variation; intros.
  - now apply ind_same.
  - eapply ind_weaken; [apply Rle_refl | exact H | exact H0].
  - eapply ind_resp; eauto.
Qed.

#[export] Instance divergence_profile : divergence profile.
Proof.
  constructor; unfold profile; simpl; intros.
  - eapply ind_weaken; [exact H0 | apply Rle_refl | now apply ind_same].
  - eapply ind_weaken; [apply Rle_refl | apply H | auto].
  - eapply ind_resp; eauto.
  - exact (div_post (ms := approx) P Q K (eps, l eps) (H eps H0)).
  - exact (div_inner (ms := approx) P K K' (eps, l eps) (fun a => H a eps H0)).
Qed.

(** ** Group privacy *)
Lemma floor_INR n d : INR n <= d < INR n + 1 -> Z.to_nat (Int_part d) = n.
Proof.
  intros H. assert (E : Int_part d = Z.of_nat n); [|rewrite E; lia].
  unfold Int_part. rewrite <- (tech_up d (Z.of_nat n + 1)); [lia | |]; rewrite plus_IZR, <- INR_IZR_INZ; lra.
Qed.

(** [1 + e^eps + ... + e^((d-1) eps)] in closed form. *)
Definition geometric (d eps : R) : R := if Req_EM_T eps 0 then d else (exp (d * eps) - 1) / (exp eps - 1).

Lemma geometric_step d e : geometric (d + 1) e = geometric d e + exp (d * e).
Proof.
  unfold geometric. destruct (Req_EM_T e 0) as [->|N].
  - rewrite Rmult_0_r, exp_0; ring.
  - replace ((d + 1) * e) with (d * e + e) by ring. rewrite exp_plus. field.
    intros E. apply N. apply exp_inv. rewrite exp_0; lra.
Qed.

Lemma geometric_le c d e : 0 <= e -> c <= d -> geometric c e <= geometric d e.
Proof.
  intros He H; unfold geometric. destruct (Req_EM_T e 0); [exact H|].
  assert (1 < exp e) by (rewrite <- exp_0; apply exp_increasing; lra).
  apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|]. assert (c * e <= d * e) by nra.
  pose proof (exp_le H1); lra.
Qed.

Lemma geometric_0 e : geometric 0 e = 0.
Proof. unfold geometric. destruct (Req_EM_T e 0); [reflexivity|]. rewrite Rmult_0_l, exp_0. unfold Rdiv; ring. Qed.
Lemma geometric_1 e : geometric 1 e = 1.
Proof. replace 1 with (0 + 1) at 1 by ring. rewrite geometric_step, geometric_0, Rmult_0_l, exp_0; ring. Qed.
Lemma geometric_nonneg d e : 0 <= e -> 0 <= d -> 0 <= geometric d e.
Proof. intros; rewrite <- (geometric_0 e); now apply geometric_le. Qed.

#[export] Instance groups_pure : groups pure.
Proof.
  refine {| group := fun d eps => d * eps |}; unfold pure; simpl le; simpl zero; intros.
  - eapply ind_weaken; [ | apply Rle_refl | apply ind_same, H1]. nra.
  - now rewrite Rmult_1_l.
  - rewrite (S_INR (S n)). set (k := INR (S n)) in *. replace 0 with (0 + exp (k * l) * 0) by ring.
    replace ((k + 1) * l) with (k * l + l) by ring. eapply ind_trans; eauto.
  - eapply ind_weaken; [ | apply Rle_refl | exact H1]. nra.
Defined.

#[export] Instance groups_approx : groups approx.
Proof.
  refine {| group := fun d l => (d * fst l, snd l * geometric d (fst l)) |};
  unfold approx; simpl le; simpl zero; intros; destruct l as [e dl]; cbn [fst snd] in *.
  - pose proof (geometric_nonneg (d := d) (proj1 H) H0).
    eapply ind_weaken; [ | | apply ind_same, H1]; apply Rmult_le_pos; tauto.
  - now rewrite geometric_1, Rmult_1_l, Rmult_1_r.
  - rewrite (S_INR (S n)). set (k := INR (S n)) in *. rewrite geometric_step.
    replace ((k + 1) * e) with (k * e + e) by ring.
    replace (dl * (geometric k e + exp (k * e))) with (dl * geometric k e + exp (k * e) * dl) by ring.
    eapply ind_trans; eauto.
  - pose proof (geometric_le (proj1 H) (proj1 H0)).
    eapply ind_weaken; [ | | exact H1]; [apply Rmult_le_compat_r | apply Rmult_le_compat_l]; tauto.
Defined.

#[export] Instance groups_total_variation : groups total_variation.
Proof.
  refine {| group := fun d delta => d * delta |}; unfold total_variation; simpl le; simpl zero; intros.
  - eapply ind_weaken; [apply Rle_refl | | apply ind_same, H1]. nra.
  - now rewrite Rmult_1_l.
  - rewrite (S_INR (S n)). set (k := INR (S n)) in *.
    replace ((k + 1) * l) with (k * l + exp 0 * l) by (rewrite exp_0; ring).
    apply ind_weaken with (e := 0 + 0) (3 := ind_trans H0 H1); lra.
  - eapply ind_weaken; [apply Rle_refl | | exact H1]. nra.
Defined.

(** The rule of [approx] at every point [(eps/d, delta(eps/d))]. *)
Definition group_curve (d : R) (delta : R -> R) (eps : R) : R :=
  let k := INR (Z.to_nat (Int_part d)) in if Req_EM_T k 0 then 0 else delta (eps / k) * geometric k (eps / k).

Lemma group_curve_INR n delta eps : (0 < n)%nat ->
  group_curve (INR n) delta eps = delta (eps / INR n) * geometric (INR n) (eps / INR n).
Proof.
  intros H. unfold group_curve. rewrite (@floor_INR n) by lra. apply lt_0_INR in H. destruct (Req_EM_T (INR n) 0); lra.
Qed.

Lemma Rdiv_nonneg a b : 0 <= a -> 0 < b -> 0 <= a / b.
Proof. intros; apply Rmult_le_pos; [assumption | left; now apply Rinv_0_lt_compat]. Qed.

#[export] Instance groups_profile : groups profile.
Proof.
  refine {| group := group_curve |}; unfold profile; simpl le; simpl zero; intros.
  - eapply ind_weaken; [exact H2 | | apply ind_same, H1].
    unfold group_curve. destruct (Req_EM_T _ 0) as [|N]; [lra|]. set (k := INR _) in *.
    assert (0 < k) by (pose proof (pos_INR (Z.to_nat (Int_part d))); fold k in H3; lra).
    apply Rmult_le_pos; [apply H | apply geometric_nonneg; [now apply Rdiv_nonneg | lra]].
  - rewrite (group_curve_INR (n := 1)) by lia. simpl INR. unfold Rdiv. rewrite Rinv_1, Rmult_1_r, geometric_1, Rmult_1_r.
    now apply H.
  - rewrite group_curve_INR by lia. set (k := INR (S n)) in *. rewrite (S_INR (S n)). fold k.
    assert (k0 : 0 < k) by (apply lt_0_INR; lia). set (e := eps / (k + 1)).
    assert (e0 : 0 <= e) by (apply Rdiv_nonneg; lra).
    rewrite geometric_step. replace eps with (k * e + e) at 1 by (unfold e; field; lra).
    replace (l e * (geometric k e + exp (k * e))) with (l e * geometric k e + exp (k * e) * l e) by ring.
    apply ind_trans with Q; [|now apply H1].
    specialize (H0 (k * e) ltac:(nra)). unfold k at 2 in H0. rewrite group_curve_INR in H0 by lia. fold k in H0.
    now replace (k * e / k) with e in H0 by (field; lra).
  - replace (group_curve d l eps) with (group_curve (INR n) l eps); [now apply H1|].
    unfold group_curve. now rewrite (floor_INR _ H0), (@floor_INR n) by lra.
Defined.
